package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.List;
import java.util.Optional;

/// An aggregate and the number of rows in it.
///
/// @param rows at least one
public record Counted(long rows, Object aggregate) {

  private static final String FORMAT = "counted(";

  /// Returns whether a serde's id is that of aggregates with their numbers of rows.
  public static boolean isFormat(String serdeId) {
    return serdeId.startsWith(FORMAT);
  }

  /// How it is kept and sent: the number of rows and the aggregate.
  record Format(Serde<Object> aggregates) implements Serde<Object> {
    @Override
    public String id() {
      return FORMAT + aggregates.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("counted", aggregates);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "counted", aggregates);
    }

    @Override
    public Optional<Serde<Object>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "counted", List.of(aggregates), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(Object value, BytesWriter out) {
      Counted counted = (Counted) value;
      out.writeLong(counted.rows);
      aggregates.write(counted.aggregate, out);
    }

    @Override
    public Object read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long rows = reader.readLong();
      if (rows < 1) {
        throw new SerdeException("Found an aggregate of " + rows + " rows.");
      }
      return new Counted(rows, Frames.last(aggregates, in, reader.position()));
    }
  }
}
