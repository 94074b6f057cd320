package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Where the record lies that a row stands for, for messages.
public record Origin(String topic, int partition, long offset) {

  /// Of the current row; null if it stands for no record.
  public static @Nullable Origin of(RowCursor row) {
    return row.hasOrigin() ? new Origin(row.topic(), row.partition(), row.offset()) : null;
  }

  public static void write(@Nullable Origin origin, BytesWriter out) {
    if (origin == null) {
      out.writeInt(0);
      return;
    }
    Frames.write(Bytes.of(origin.topic.getBytes(StandardCharsets.UTF_8)), out);
    out.writeInt(origin.partition);
    out.writeLong(origin.offset);
  }

  public static @Nullable Origin read(Frames.Reader in) {
    byte[] topic = in.frame().toByteArray();
    return topic.length == 0
        ? null
        : new Origin(new String(topic, StandardCharsets.UTF_8), in.readInt(), in.readLong());
  }

  /// As `--skip` takes it.
  @Override
  public String toString() {
    return topic + ":" + partition + ":" + offset;
  }
}
