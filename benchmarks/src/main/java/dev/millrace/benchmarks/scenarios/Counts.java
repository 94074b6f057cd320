package dev.millrace.benchmarks.scenarios;

import org.rocksdb.RocksDBException;

/// Counts by key, as [ByHand] keeps them. Used by one thread.
interface Counts extends AutoCloseable {
  void add(byte[] key) throws RocksDBException;

  long get(byte[] key) throws RocksDBException;

  @Override
  void close();
}
