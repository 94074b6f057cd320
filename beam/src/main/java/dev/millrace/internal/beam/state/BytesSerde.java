package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;

/// Bytes as they are, in their own order. Unlike a view, what is read may be kept.
public final class BytesSerde implements Serde<Bytes> {
  public static final BytesSerde INSTANCE = new BytesSerde();

  private BytesSerde() {}

  @Override
  public String id() {
    return "beam:bytes";
  }

  @Override
  public void write(Bytes value, BytesWriter out) {
    out.write(value);
  }

  @Override
  public Bytes read(Bytes in) {
    return in.copy();
  }

  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public boolean immutable() {
    return true;
  }
}
