package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import java.util.Optional;

/// A value among those of several streams.
///
/// @param side the number of its stream, from 0
public record Tagged(int side, Object value) {

  /// How it is written: the number and the value.
  ///
  /// @param values the serdes of the streams' values
  public record Format(List<Serde<Object>> values) implements Serde<Object> {
    @Override
    public String id() {
      return "tagged(" + String.join(",", values.stream().map(Serde::id).toList()) + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("tagged", values.toArray(Serde[]::new));
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "tagged", values.toArray(Serde[]::new));
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(olderSchema, "tagged", values, parts -> new Format(parts));
    }

    @Override
    public void write(Object value, BytesWriter out) {
      Tagged tagged = (Tagged) value;
      out.writeByte(tagged.side);
      values.get(tagged.side).write(tagged.value, out);
    }

    @Override
    public Object read(Bytes in) {
      int side = in.length() == 0 ? -1 : in.get(0);
      if (side < 0 || side >= values.size()) {
        throw new SerdeException("Found " + in + " where a value of one of several streams was.");
      }
      return new Tagged(side, Frames.last(values.get(side), in, 1));
    }
  }
}
