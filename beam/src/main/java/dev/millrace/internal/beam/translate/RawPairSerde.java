package dev.millrace.internal.beam.translate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;

/// Writes pairs as others do, and reads them as they were written, for those who keep the bytes of
/// the values. What is read is a view.
record RawPairSerde(PairSerde pairs) implements Serde<Object> {
  @Override
  public String id() {
    return pairs.id();
  }

  @Override
  public void write(Object row, BytesWriter out) {
    pairs.write(row, out);
  }

  @Override
  public Object read(Bytes in) {
    return new Bytes().set(in.array(), in.offset(), in.length());
  }
}
