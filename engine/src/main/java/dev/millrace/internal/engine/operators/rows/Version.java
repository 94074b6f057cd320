package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a key of a table has from a time on.
///
/// @param value null if it has none
public record Version(@Nullable Object value) {
  public static final Version NONE = new Version(null);

  /// How it is written: whether there is a value, and the value.
  ///
  /// @param values the serde that wrote them
  public record Format(Serde<Object> values) implements Serde<Object> {
    @Override
    public String id() {
      return "version(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("version", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "version", values);
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "version", List.of(values), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(Object object, BytesWriter out) {
      Object value = ((Version) object).value;
      out.writeByte(value == null ? 0 : 1);
      if (value != null) {
        values.write(value, out);
      }
    }

    @Override
    public Version read(Bytes in) {
      if (in.length() == 0 || in.get(0) < 0 || in.get(0) > 1) {
        throw new SerdeException("Found " + in + " where a version begins with 00 or 01.");
      }
      return in.get(0) == 0 ? NONE : new Version(Frames.last(values, in, 1));
    }
  }
}
