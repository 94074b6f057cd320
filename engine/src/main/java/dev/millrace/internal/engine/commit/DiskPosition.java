package dev.millrace.internal.engine.commit;

import dev.millrace.api.serde.BytesWriter;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What a task's disk says of itself: whose it is, which changelog it is a prefix of, up to where,
/// and the commit record valid there.
///
/// @param clusterId of the log
/// @param topicId of the changelog; another one of the same name is another log
/// @param task whose partition of the changelog it is; empty if the disk does not say, as those of
///   format 1 did not
/// @param offset the first offset that is not on disk, or [#INCOMPLETE]
/// @param commitRecord encoded; empty if none was reached yet
public record DiskPosition(
    String clusterId,
    String topicId,
    String task,
    long offset,
    long writtenMillis,
    byte[] commitRecord) {
  /// The offset of a disk that lacks something of another task, from which its own was split off.
  public static final long INCOMPLETE = -1;

  private static final byte FORMAT = 2;
  private static final byte FORMAT_WITHOUT_TASK = 1;

  public byte[] toBytes() {
    BytesWriter out = new BytesWriter();
    out.writeByte(FORMAT);
    writeText(clusterId, out);
    writeText(topicId, out);
    writeText(task, out);
    out.writeLong(offset);
    out.writeLong(writtenMillis);
    out.writeInt(commitRecord.length);
    out.write(commitRecord);
    return out.toByteArray();
  }

  /// @throws IllegalArgumentException if the bytes are no position of this format
  public static DiskPosition read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      byte format = in.get();
      if (format != FORMAT && format != FORMAT_WITHOUT_TASK) {
        throw new IllegalArgumentException(
            "Expected a disk position of format " + FORMAT + "; found format " + format + ".");
      }
      return new DiskPosition(
          readText(in),
          readText(in),
          format == FORMAT_WITHOUT_TASK ? "" : readText(in),
          in.getLong(),
          in.getLong(),
          readBytes(in));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "A disk position of " + bytes.length + " bytes is cut off.", e);
    }
  }

  private static void writeText(String text, BytesWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(ByteBuffer in) {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] readBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "A disk position has a part of " + length + " bytes in " + in.remaining() + ".");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
