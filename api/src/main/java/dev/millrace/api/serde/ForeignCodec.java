package dev.millrace.api.serde;

import java.util.Set;

/// Values of a serde that is not from here, after their length.
final class ForeignCodec<T> extends Codec<T> {
  private final Serde<T> serde;

  ForeignCodec(Serde<T> serde) {
    super(TypeCode.OTHER);
    this.serde = serde;
  }

  Serde<T> serde() {
    return serde;
  }

  @Override
  String id() {
    return serde.id();
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Foreign(serde.schema(), serde);
  }

  @Override
  boolean immutable(Set<Codec<?>> asked) {
    return serde.immutable();
  }

  @Override
  boolean canonical() {
    return serde.canonical();
  }

  @Override
  void writeBody(T value, BytesWriter out) {
    int mark = out.beginLength();
    serde.write(value, out);
    out.endLength(mark);
  }

  @Override
  T readBody(BytesReader in) {
    return serde.read(in.readView(in.readLength(), new Bytes()));
  }
}
