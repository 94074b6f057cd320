package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import org.jspecify.annotations.Nullable;

/// A row that waits for an answer, as it is kept; or, without a value, the watermark that came to
/// those behind the operator.
///
/// @param origin null if it stands for no record
record WaitingRow(long time, @Nullable Bytes key, @Nullable Object value, @Nullable Origin origin) {
  private static final byte WATERMARK = 0;
  private static final byte WITHOUT_KEY = 1;
  private static final byte WITH_KEY = 2;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  /// How it is kept.
  record Format(Serde<Object> values) implements Serde<WaitingRow> {
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
    public void write(WaitingRow row, BytesWriter out) {
      Bytes key = row.key;
      Object value = row.value;
      out.writeByte(value == null ? WATERMARK : key == null ? WITHOUT_KEY : WITH_KEY);
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
      if (in.length() < HEAD_BYTES || in.get(0) < WATERMARK || in.get(0) > WITH_KEY) {
        throw new SerdeException("Found " + in + " where a row was kept that waits for an answer.");
      }
      byte kind = in.get(0);
      Frames.Reader reader =
          new Frames.Reader(new Bytes().set(in.array(), in.offset() + 1, in.length() - 1));
      long time = reader.readLong();
      Origin origin = kind == WATERMARK ? null : Origin.read(reader);
      Bytes key = kind == WITH_KEY ? reader.frame().copy() : null;
      Object value = kind == WATERMARK ? null : Frames.last(values, in, 1 + reader.position());
      return new WaitingRow(time, key, value, origin);
    }
  }
}
