package dev.millrace.api.serde;

/// Bytes as they are, without a copy.
final class ViewSerde implements Serde<Bytes> {
  static final ViewSerde INSTANCE = new ViewSerde();

  private ViewSerde() {}

  @Override
  public String id() {
    return "bytes";
  }

  @Override
  public void write(Bytes value, BytesWriter out) {
    out.write(value);
  }

  @Override
  public Bytes read(Bytes in) {
    return new Bytes().set(in.array(), in.offset(), in.length());
  }

  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public boolean ordered() {
    return true;
  }
}
