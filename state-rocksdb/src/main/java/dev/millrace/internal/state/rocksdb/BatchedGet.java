package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Reads many keys in one call. Of RocksDB's two ways for this only the one over direct buffers
/// tells what became of each key; the one over arrays returns null for a block that fails its
/// checksum as it does for a missing key, and must not be used. Not thread-safe.
final class BatchedGet {
  private static final int MOST_KEYS = 256;
  private static final int FIRST_VALUE_BYTES = 256;
  private static final int MOST_VALUE_BYTES = 16 << 10;

  private final RocksDB database;
  private final ReadOptions readOptions;
  private ByteBuffer keyMemory = ByteBuffer.allocateDirect(MOST_KEYS * 32);

  /// One buffer a key. A value that does not fit is read again by itself, and the buffers grow with
  /// it.
  private List<ByteBuffer> valueBuffers = List.of();

  private int valueBytes = FIRST_VALUE_BYTES;

  BatchedGet(RocksDB database, ReadOptions readOptions) {
    this.database = database;
    this.readOptions = readOptions;
  }

  /// Sets the values of the keys from `first` to before `end`.
  void get(Bytes[] keys, int first, int end, byte[] @Nullable [] values) throws RocksDBException {
    for (int start = first; start < end; start += MOST_KEYS) {
      getChunk(keys, start, Math.min(end, start + MOST_KEYS), values);
    }
  }

  private void getChunk(Bytes[] keys, int start, int end, byte[] @Nullable [] values)
      throws RocksDBException {
    List<ByteBuffer> keyBuffers = keyBuffers(keys, start, end);
    List<ByteBufferGetStatus> results =
        database.multiGetByteBuffers(readOptions, keyBuffers, valueBuffers(end - start));
    for (int i = start; i < end; i++) {
      ByteBufferGetStatus result = results.get(i - start);
      switch (result.status.getCode()) {
        case Ok -> values[i] = valueOf(keys[i], result);
        case NotFound -> values[i] = null;
        default -> throw new RocksDBException(describe(result.status), result.status);
      }
    }
  }

  private byte @Nullable [] valueOf(Bytes key, ByteBufferGetStatus result) throws RocksDBException {
    if (result.requiredSize <= result.value.capacity()) {
      byte[] value = new byte[result.requiredSize];
      result.value.get(value);
      return value;
    }
    if (valueBytes < MOST_VALUE_BYTES) {
      valueBytes = Math.min(MOST_VALUE_BYTES, 2 * valueBytes);
    }
    return database.get(readOptions, key.array(), key.offset(), key.length());
  }

  /// Each key has to start its own buffer, since RocksDB's binding takes the limit for the length.
  private List<ByteBuffer> keyBuffers(Bytes[] keys, int start, int end) {
    long needed = 0;
    for (int i = start; i < end; i++) {
      needed += keys[i].length();
    }
    if (needed > keyMemory.capacity()) {
      keyMemory = ByteBuffer.allocateDirect(Math.toIntExact(needed));
    }
    List<ByteBuffer> buffers = new ArrayList<>(end - start);
    int at = 0;
    for (int i = start; i < end; i++) {
      Bytes key = keys[i];
      keyMemory.put(at, key.array(), key.offset(), key.length());
      buffers.add(keyMemory.slice(at, key.length()));
      at += key.length();
    }
    return buffers;
  }

  private List<ByteBuffer> valueBuffers(int count) {
    if (valueBuffers.size() < count || valueBuffers.getFirst().capacity() < valueBytes) {
      int enough = Math.max(count, valueBuffers.size());
      ByteBuffer memory = ByteBuffer.allocateDirect(enough * valueBytes);
      List<ByteBuffer> buffers = new ArrayList<>(enough);
      for (int i = 0; i < enough; i++) {
        buffers.add(memory.slice(i * valueBytes, valueBytes));
      }
      valueBuffers = buffers;
    }
    List<ByteBuffer> some = valueBuffers.subList(0, count);
    some.forEach(ByteBuffer::clear);
    return some;
  }

  private static String describe(Status status) {
    return status.getState() == null ? status.getCodeString() : status.getState();
  }
}
