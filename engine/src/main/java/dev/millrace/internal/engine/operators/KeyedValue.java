package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.util.List;
import java.util.Optional;

/// A value on its way under another key, with its own.
public record KeyedValue(Object key, Object value) {

  /// How it is written: the key with its length before it, and the value.
  ///
  /// @param keys a canonical serde
  public record Format(Serde<Object> keys, Serde<Object> values) implements Serde<Object> {
    @Override
    public String id() {
      return "keyed(" + keys.id() + "," + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("keyed", keys, values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "keyed", keys, values);
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema,
          "keyed",
          List.of(keys, values),
          parts -> new Format(parts.get(0), parts.get(1)));
    }

    @Override
    public void write(Object value, BytesWriter out) {
      KeyedValue keyed = (KeyedValue) value;
      Frames.write(keys, keyed.key, out);
      values.write(keyed.value, out);
    }

    @Override
    public Object read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      Object key = keys.read(reader.frame().copy());
      int start = reader.position();
      Bytes rest = new Bytes().set(in.array(), in.offset() + start, in.length() - start);
      return new KeyedValue(key, Opened.object(values, rest));
    }
  }
}
