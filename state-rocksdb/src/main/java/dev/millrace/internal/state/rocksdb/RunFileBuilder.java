package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/// Builds the sorted file of an ingest: the position under the empty key, which comes before all
/// others, then the entries of the run, deletions as tombstones. Not thread-safe.
final class RunFileBuilder {
  /// The size of the buffer. Larger entries are copied through a separate array.
  private static final int BUFFER_BYTES = 64 << 10;

  private static final byte[] POSITION_KEY = {};

  private final SharedNatives natives;
  private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer valueBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  RunFileBuilder(SharedNatives natives) {
    this.natives = natives;
  }

  /// Writes and syncs a file, which must not exist: it might be another name of one in the
  /// database.
  void build(Path file, Disk.SortedRun run, byte[] position) throws RocksDBException {
    try (SstFileWriter writer = new SstFileWriter(natives.envOptions(), natives.options())) {
      writer.open(file.toString());
      writer.put(POSITION_KEY, position);
      while (run.next()) {
        Bytes value = run.value();
        if (value == null) {
          writer.delete(run.key().toByteArray());
        } else {
          put(writer, run.key(), value);
        }
      }
      writer.finish();
    }
  }

  private void put(SstFileWriter writer, Bytes key, Bytes value) throws RocksDBException {
    if (key.length() > BUFFER_BYTES || value.length() > BUFFER_BYTES) {
      writer.put(key.toByteArray(), value.toByteArray());
    } else {
      writer.put(fill(keyBuffer, key), fill(valueBuffer, value));
    }
  }

  private static ByteBuffer fill(ByteBuffer buffer, Bytes bytes) {
    return buffer.clear().put(bytes.array(), bytes.offset(), bytes.length()).flip();
  }
}
