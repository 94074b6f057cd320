package dev.millrace.benchmarks.scenarios;

import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/// In RocksDB, with a get and a put for each record, filters and no write-ahead log.
final class RocksDbCounts implements Counts {
  private static final double FILTER_BITS = 10;

  private final Cache memory;
  private final Options options;
  private final WriteOptions writes;
  private final RocksDB database;

  /// @param memoryBytes for blocks and write buffers together
  RocksDbCounts(Path directory, long memoryBytes) throws RocksDBException {
    RocksDB.loadLibrary();
    writes = new WriteOptions().setDisableWAL(true);
    memory = new LRUCache(memoryBytes);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferManager(new WriteBufferManager(memoryBytes / 2, memory))
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(memory)
                    .setFilterPolicy(new BloomFilter(FILTER_BITS)));
    database = RocksDB.open(options, directory.toString());
  }

  @Override
  public void add(byte[] key) throws RocksDBException {
    database.put(writes, key, Event.toBytes(get(key) + 1));
  }

  @Override
  public long get(byte[] key) throws RocksDBException {
    byte[] count = database.get(key);
    return count == null ? 0 : Event.toLong(count, 0);
  }

  @Override
  public void close() {
    database.close();
    options.close();
    writes.close();
    memory.close();
  }
}
