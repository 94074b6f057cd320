package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Origin;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row that waits for an answer, as it is kept; or, without a value, a number that is kept with
/// them.
///
/// @param time the row's event time, or the number
/// @param retraction whether the row takes back another one
/// @param origin null if it stands for no record
public record WaitingRow(
    long time,
    @Nullable Bytes key,
    @Nullable Object value,
    boolean retraction,
    @Nullable Origin origin) {
  private static final byte NUMBER = 0;
  private static final byte WITHOUT_KEY = 1;
  private static final byte WITH_KEY = 2;
  private static final byte RETRACTION = 3;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  /// A number.
  public static WaitingRow number(long number) {
    return new WaitingRow(number, null, null, false, null);
  }

  /// The row that the cursor stands at.
  public static WaitingRow of(RowCursor row) {
    Bytes key = row.keyBytes();
    return new WaitingRow(
        row.timestamp(),
        key == null ? null : key.copy(),
        Opened.value(row),
        row.isRetraction(),
        Origin.of(row));
  }

  private byte kind() {
    if (value == null) {
      return NUMBER;
    }
    return retraction ? RETRACTION : key == null ? WITHOUT_KEY : WITH_KEY;
  }

  /// How it is kept.
  public record Format(Serde<Object> values) implements Serde<WaitingRow> {
    @Override
    public String id() {
      return "waiting(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("waiting", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "waiting", values);
    }

    @Override
    public Optional<Serde<WaitingRow>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "waiting", List.of(values), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(WaitingRow row, BytesWriter out) {
      Bytes key = row.key;
      Object value = row.value;
      out.writeByte(row.kind());
      out.writeLong(row.time);
      if (value == null) {
        return;
      }
      Origin.write(row.origin, out);
      if (key != null) {
        Frames.write(key, out);
      }
      values.write(value, out);
    }

    @Override
    public WaitingRow read(Bytes in) {
      if (in.length() < HEAD_BYTES || in.get(0) < NUMBER || in.get(0) > RETRACTION) {
        throw new SerdeException("Found " + in + " where a row was kept that waits for an answer.");
      }
      byte kind = in.get(0);
      Frames.Reader reader =
          new Frames.Reader(new Bytes().set(in.array(), in.offset() + 1, in.length() - 1));
      long time = reader.readLong();
      if (kind == NUMBER) {
        return number(time);
      }
      Origin origin = Origin.read(reader);
      Bytes key = kind == WITHOUT_KEY ? null : reader.frame().copy();
      Object value = Frames.last(values, in, 1 + reader.position());
      return new WaitingRow(time, key, value, kind == RETRACTION, origin);
    }
  }
}
