package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// Writes one run.
///
/// The file, big-endian: blocks, the index, the footer. A block is entries in ascending order of
/// key, an entry the lengths of key and value as ints (-1 for a deleted key) and the bytes of both.
/// The index has for each block its offset as a long, its length and CRC32C as ints, and its first
/// key with its length as int. The footer ([#FOOTER_BYTES]) is the index's offset as a long, its
/// length and CRC32C as ints, the number of entries as a long, the format's version as an int,
/// `MRUN`, and the CRC32C of the footer so far.
final class RunWriter {
  static final int MAGIC = 0x4D52554E;
  static final int FOOTER_BYTES = 36;
  static final int DELETED = -1;
  private static final int BLOCK_BYTES = 4096;

  private final RunFiles.Appender file;
  private final BytesWriter block = new BytesWriter(2 * BLOCK_BYTES);
  private final BytesWriter index = new BytesWriter();
  private byte @Nullable [] firstKeyOfBlock;
  private long written;
  private long entries;

  private RunWriter(RunFiles.Appender file) {
    this.file = file;
  }

  /// Writes and syncs a whole run.
  static Manifest.RunName write(RunFiles.Appender file, long number, Disk.SortedRun run) {
    RunWriter writer = new RunWriter(file);
    while (run.next()) {
      writer.add(run.key(), run.value());
    }
    int footerChecksum = writer.finish();
    return new Manifest.RunName(number, writer.written, footerChecksum);
  }

  private void add(Bytes key, @Nullable Bytes value) {
    if (firstKeyOfBlock == null) {
      firstKeyOfBlock = key.toByteArray();
    }
    block.writeInt(key.length());
    block.writeInt(value == null ? DELETED : value.length());
    block.write(key);
    if (value != null) {
      block.write(value);
    }
    entries++;
    if (block.length() >= BLOCK_BYTES) {
      endBlock(firstKeyOfBlock);
    }
  }

  private void endBlock(byte[] firstKey) {
    index.writeLong(written);
    index.writeInt(block.length());
    index.writeInt(Manifest.checksum(block.array(), 0, block.length()));
    index.writeInt(firstKey.length);
    index.write(firstKey);
    append(block);
    block.clear();
    firstKeyOfBlock = null;
  }

  private int finish() {
    if (firstKeyOfBlock != null) {
      endBlock(firstKeyOfBlock);
    }
    BytesWriter footer = new BytesWriter(FOOTER_BYTES);
    footer.writeLong(written);
    footer.writeInt(index.length());
    footer.writeInt(Manifest.checksum(index.array(), 0, index.length()));
    footer.writeLong(entries);
    footer.writeInt(Manifest.FORMAT_VERSION);
    footer.writeInt(MAGIC);
    int checksum = Manifest.checksum(footer.array(), 0, footer.length());
    footer.writeInt(checksum);
    append(index);
    append(footer);
    file.sync();
    return checksum;
  }

  private void append(BytesWriter bytes) {
    file.append(bytes.array(), 0, bytes.length());
    written += bytes.length();
  }
}
