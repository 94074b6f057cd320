package dev.millrace.internal.state.run;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.DiskException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The content of a task's disk at one moment: its position, and its runs from the oldest to the
/// newest.
///
/// The file, big-endian: `MMAN`, a short for the format's version, the position's length as an int
/// (-1 if there is none) and the position, the number of runs as an int, for each its number and
/// length as longs and the checksum of its footer as an int, and last the CRC32C of all before. A
/// later version may change everything but the first six bytes and the last four.
record Manifest(byte @Nullable [] position, List<RunName> runs) {
  static final int FORMAT_VERSION = 1;
  private static final int MAGIC = 0x4D4D414E;
  private static final int SMALLEST_BYTES = 18;

  /// A run in the manifest.
  record RunName(long number, long lengthBytes, int footerChecksum) {}

  byte[] encode() {
    BytesWriter out = new BytesWriter();
    out.writeInt(MAGIC);
    out.writeShort(FORMAT_VERSION);
    if (position == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(position.length);
      out.write(position);
    }
    out.writeInt(runs.size());
    for (RunName run : runs) {
      out.writeLong(run.number());
      out.writeLong(run.lengthBytes());
      out.writeInt(run.footerChecksum());
    }
    out.writeInt(checksum(out.array(), 0, out.length()));
    return out.toByteArray();
  }

  /// @param name what to call the file in a message
  static Manifest decode(byte[] bytes, String name) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int end = bytes.length - Integer.BYTES;
    if (bytes.length < SMALLEST_BYTES || in.getInt() != MAGIC) {
      throw corrupt(name, "is not a manifest of sorted runs");
    }
    if (in.getInt(end) != checksum(bytes, 0, end)) {
      throw corrupt(name, "does not have the checksum that was written");
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version != FORMAT_VERSION) {
      throw otherVersion(name, version);
    }
    try {
      byte[] position = decodePosition(in);
      int count = in.getInt();
      List<RunName> runs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        runs.add(new RunName(in.getLong(), in.getLong(), in.getInt()));
      }
      return new Manifest(position, List.copyOf(runs));
    } catch (BufferUnderflowException e) {
      throw corrupt(name, "ends too early", e);
    }
  }

  static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  static DiskException corrupt(String name, String how) {
    return corrupt(name, how, null);
  }

  static DiskException corrupt(String name, String how, @Nullable Throwable cause) {
    return new DiskException(
        DiskException.Kind.CORRUPT,
        name + " " + how + "; the task's state must be wiped and restored",
        cause);
  }

  static DiskException otherVersion(String name, int found) {
    return new DiskException(
        DiskException.Kind.IO,
        ("%s has format version %d, but this program reads and writes version %d; run a version of"
                + " Millrace that knows it, or delete the task's state, which is then restored from"
                + " the changelog")
            .formatted(name, found, FORMAT_VERSION),
        null);
  }

  private static byte @Nullable [] decodePosition(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] position = new byte[length];
    in.get(position);
    return position;
  }
}
