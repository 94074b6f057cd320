package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A value with the event time of its row.
public record TimedValue(long time, Object value) {
  /// How many bytes are before the value's.
  static final int HEAD_BYTES = Long.BYTES;

  /// Values in the order of their times; of one time as they come.
  static List<Object> inOrder(List<Object> timed) {
    return timed.stream()
        .map(TimedValue.class::cast)
        .sorted(Comparator.comparingLong(TimedValue::time))
        .map(TimedValue::value)
        .toList();
  }

  /// How it is kept: the time and the value.
  ///
  /// @param values the serde of the value
  public record Format(Serde<Object> values) implements Serde<Object> {
    @Override
    public String id() {
      return "timed(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("timed", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "timed", values);
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "timed", List.of(values), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(Object value, BytesWriter out) {
      TimedValue timed = (TimedValue) value;
      out.writeLong(timed.time);
      values.write(timed.value, out);
    }

    @Override
    public Object read(Bytes in) {
      long time = new Frames.Reader(in).readLong();
      return new TimedValue(time, Frames.last(values, in, HEAD_BYTES));
    }
  }
}
