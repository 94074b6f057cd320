package dev.millrace.internal.state.snapshot;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.state.local.ImageFileName;
import dev.millrace.spi.BlobException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The manifest of a snapshot: its owner, position and files.
///
/// Its bytes, big-endian: `MSNP`, a short for the format's version, application, topic id and task
/// as texts, the offset as a long, the position, the number of files as an int, for each its name,
/// its size as a long and its SHA-256 in 32 bytes, and last the CRC32C of all before. A text or the
/// position has its length in bytes as an int before it. A later version may change everything but
/// the first six bytes and the last four.
///
/// @param offset the first offset of the changelog that is not part of the state; the later, the
///   better
/// @param position what the disk says of itself
public record SnapshotManifest(
    SnapshotOwner owner, long offset, byte[] position, List<FileEntry> files) {
  static final int FORMAT_VERSION = 1;
  private static final int MAGIC = 0x4D534E50;
  private static final int SMALLEST_BYTES = 38;
  private static final int HASH_BYTES = 32;

  /// A file and its content.
  ///
  /// @param hash its SHA-256 in 64 hexadecimal digits
  public record FileEntry(String name, long sizeBytes, String hash) {}

  public SnapshotManifest {
    files = List.copyOf(files);
  }

  /// Returns the total size of all files.
  public long sizeBytes() {
    return files.stream().mapToLong(FileEntry::sizeBytes).sum();
  }

  byte[] encode() {
    BytesWriter out = new BytesWriter();
    out.writeInt(MAGIC);
    out.writeShort(FORMAT_VERSION);
    writeText(owner.application(), out);
    writeText(owner.topicId(), out);
    writeText(owner.task(), out);
    out.writeLong(offset);
    out.writeInt(position.length);
    out.write(position);
    out.writeInt(files.size());
    for (FileEntry file : files) {
      writeText(file.name(), out);
      out.writeLong(file.sizeBytes());
      out.write(HexFormat.of().parseHex(file.hash()));
    }
    out.writeInt(checksum(out.array(), out.length()));
    return out.toByteArray();
  }

  /// @param name of the blob, for messages
  /// @throws BlobException of kind `CORRUPT` if the bytes are no manifest of this version
  static SnapshotManifest decode(byte[] bytes, String name) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int end = bytes.length - Integer.BYTES;
    if (bytes.length < SMALLEST_BYTES || in.getInt() != MAGIC) {
      throw corrupt(name, "is not the manifest of a snapshot", null);
    }
    if (in.getInt(end) != checksum(bytes, end)) {
      throw corrupt(name, "does not have the checksum that was written", null);
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version != FORMAT_VERSION) {
      throw corrupt(
          name,
          "has format version %d, but this program reads version %d"
              .formatted(version, FORMAT_VERSION),
          null);
    }
    try {
      SnapshotOwner owner = new SnapshotOwner(readText(in), readText(in), readText(in));
      long offset = in.getLong();
      byte[] position = readBytes(in);
      int count = in.getInt();
      List<FileEntry> files = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        files.add(readFile(in));
      }
      return new SnapshotManifest(owner, offset, position, files);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw corrupt(name, "cannot be read", e);
    }
  }

  static BlobException corrupt(String name, String how, @Nullable Throwable cause) {
    return new BlobException(
        BlobException.Kind.CORRUPT, "the blob " + name + " " + how + "; it is not used", cause);
  }

  private static FileEntry readFile(ByteBuffer in) {
    String name = ImageFileName.check(readText(in));
    long sizeBytes = in.getLong();
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(name + " has a negative size");
    }
    byte[] hash = new byte[HASH_BYTES];
    in.get(hash);
    return new FileEntry(name, sizeBytes, HexFormat.of().formatHex(hash));
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
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
