package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/// Entries in order, as they were when the cursor was made: the iterator keeps the files of that
/// moment.
final class RocksCursor implements Disk.Cursor {
  /// The first key after the empty one, which holds the position.
  private static final byte[] FIRST_KEY = {0};

  private final Path directory;
  private final Consumer<RocksCursor> afterClose;
  private final byte[] from;
  private final @Nullable Slice bound;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private final Bytes key = new Bytes();
  private final Bytes value = new Bytes();
  private byte[] keyMemory = new byte[256];
  private byte[] valueMemory = new byte[1024];
  private boolean started;
  private boolean atEntry;
  private boolean closed;

  RocksCursor(
      RocksDB database,
      Path directory,
      Bytes from,
      @Nullable Bytes to,
      Consumer<RocksCursor> afterClose) {
    this.directory = directory;
    this.afterClose = afterClose;
    this.from = orFirst(from);
    options = new ReadOptions().setVerifyChecksums(true);
    bound = to == null ? null : new Slice(orFirst(to));
    if (bound != null) {
      options.setIterateUpperBound(bound);
    }
    iterator = database.newIterator(options);
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new IllegalStateException("the cursor over " + directory + " is closed");
    }
    if (!started) {
      started = true;
      iterator.seek(from);
    } else if (atEntry) {
      iterator.next();
    } else {
      return false;
    }
    atEntry = iterator.isValid();
    if (atEntry) {
      readKey();
    } else {
      requireIntact();
    }
    return atEntry;
  }

  @Override
  public Bytes key() {
    requireEntry();
    return key;
  }

  @Override
  public Bytes value() {
    requireEntry();
    int length = iterator.value(valueMemory, 0, valueMemory.length);
    if (length > valueMemory.length) {
      valueMemory = new byte[larger(valueMemory.length, length)];
      length = iterator.value(valueMemory, 0, valueMemory.length);
    }
    return value.set(valueMemory, 0, length);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atEntry = false;
      iterator.close();
      options.close();
      if (bound != null) {
        bound.close();
      }
      afterClose.accept(this);
    }
  }

  private void readKey() {
    int length = iterator.key(keyMemory, 0, keyMemory.length);
    if (length > keyMemory.length) {
      keyMemory = new byte[larger(keyMemory.length, length)];
      length = iterator.key(keyMemory, 0, keyMemory.length);
    }
    key.set(keyMemory, 0, length);
  }

  /// An iterator that meets a broken block looks as if it were at its end.
  private void requireIntact() {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      DiskException failure = RocksFailure.of(directory, "could not be read on", e);
      close();
      throw failure;
    }
  }

  private void requireEntry() {
    if (!atEntry) {
      throw new IllegalStateException("the cursor over " + directory + " is not at an entry");
    }
  }

  private static int larger(int length, int needed) {
    return (int) Math.max(needed, Math.min(2L * length, Integer.MAX_VALUE - 8));
  }

  private static byte[] orFirst(Bytes key) {
    return key.length() == 0 ? FIRST_KEY : key.toByteArray();
  }
}
