package dev.millrace.internal.engine.time;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.nio.ByteBuffer;

/// What a task says of its event time to every partition of an exchange, inside its commit. It is a
/// record without a key among records that all have one.
///
/// @param format of what the exchange carries, as the sender knows it
/// @param upstreamTask which of the tasks of its stage the sender is: its partition; or, if it was
///   split off from another one, a larger number
/// @param upstreamTasks how many partitions that stage has
/// @param watermark [InputTime#ENDED] after the last record
/// @param idle whether the sender's inputs are all idle
public record ControlRecord(
    long format, int upstreamTask, int upstreamTasks, long watermark, boolean idle) {
  private static final byte FORMAT = 1;
  private static final int LENGTH = 1 + 8 + 4 + 4 + 8 + 1;

  public void write(BytesWriter out) {
    out.writeByte(FORMAT);
    out.writeLong(format);
    out.writeInt(upstreamTask);
    out.writeInt(upstreamTasks);
    out.writeLong(watermark);
    out.writeByte(idle ? 1 : 0);
  }

  /// @throws IllegalArgumentException if the bytes are no control record of this format
  public static ControlRecord read(Bytes bytes) {
    if (bytes.length() != LENGTH || bytes.get(0) != FORMAT) {
      throw new IllegalArgumentException(
          "Expected a control record of format %d and %d bytes; found %d bytes: %s."
              .formatted(FORMAT, LENGTH, bytes.length(), bytes));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes.array(), bytes.offset() + 1, LENGTH - 1);
    return new ControlRecord(in.getLong(), in.getInt(), in.getInt(), in.getLong(), in.get() != 0);
  }
}
