package dev.millrace.internal.state.rocksdb;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.EnvOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;

/// RocksDB objects that all disks of a container share: the block cache, which bounds their memory,
/// and the settings. It is immutable after construction, so all threads may use it.
final class SharedNatives implements AutoCloseable {
  /// The number of runs in level 0 from which they are merged into the levels below.
  static final int RUNS_TO_MERGE = 4;

  /// Of the first level below level 0, and how many times as large each further one is. Runs are
  /// small, as flushes follow the recovery target: each merge of a few into one level of up to 256
  /// MB, RocksDB's default, would write most of that level again. See decision 10.
  private static final long FIRST_LEVEL_BYTES = 32L << 20;

  private static final int LEVEL_FACTOR = 5;

  private static final int BLOOM_BITS_A_KEY = 10;
  private static final double CACHE_SHARE_OF_INDEXES = 0.3;

  /// Of a part of an index or a filter: large enough that several keys of one batch share it, small
  /// enough to be read when it is not in memory.
  private static final int PART_BYTES = 32 << 10;

  private static final long SMALLEST_MEMTABLE_BYTES = 64 << 10;
  private static final long LOG_BYTES = 1 << 20;
  private static final long SYNC_AHEAD_BYTES = 1 << 20;

  /// Of each file that is merged, and there may be some dozens at a time.
  private static final long READ_AHEAD_BYTES = 256 << 10;

  private final Cache blockCache;
  private final BloomFilter filter;
  private final Options options;
  private final EnvOptions envOptions = new EnvOptions();
  private final ReadOptions readOptions = new ReadOptions().setVerifyChecksums(true);
  private final IngestExternalFileOptions ingestOptions;
  private final ExecutorService readers;
  private final ExecutorService writers;
  private boolean closed;

  SharedNatives(RocksDiskConfig config) {
    blockCache = new LRUCache(config.blockCacheBytes(), -1, false, CACHE_SHARE_OF_INDEXES);
    filter = new BloomFilter(BLOOM_BITS_A_KEY);
    options = options(config, table(blockCache, filter));
    boolean moveFiles = true;
    boolean snapshotConsistency = true;
    boolean allowGlobalSequenceNumber = true;
    boolean allowFlush = false;
    ingestOptions =
        new IngestExternalFileOptions(
                moveFiles, snapshotConsistency, allowGlobalSequenceNumber, allowFlush)
            .setWriteGlobalSeqno(false);
    readers =
        Executors.newFixedThreadPool(
            ReadLanes.LANES - 1,
            Thread.ofPlatform().daemon().name("millrace-state-read-", 0).factory());
    writers =
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("millrace-state-write-", 0).factory());
  }

  /// Returns the size of the block cache's content; 0 when it is closed, because access would crash
  /// the process then: metrics are read at any time, and by any thread.
  synchronized long cachedBytes() {
    return closed ? 0 : blockCache.getUsage();
  }

  Options options() {
    return options;
  }

  EnvOptions envOptions() {
    return envOptions;
  }

  ReadOptions readOptions() {
    return readOptions;
  }

  IngestExternalFileOptions ingestOptions() {
    return ingestOptions;
  }

  /// Threads that read beside a task's own.
  ExecutorService readers() {
    return readers;
  }

  /// Threads that write runs, as many as there are runs to be written: at most one a worker.
  ExecutorService writers() {
    return writers;
  }

  /// Releases the objects. Called only after all databases are closed.
  @Override
  public synchronized void close() {
    closed = true;
    readers.close();
    writers.close();
    ingestOptions.close();
    readOptions.close();
    envOptions.close();
    options.close();
    filter.close();
    blockCache.close();
  }

  private static BlockBasedTableConfig table(Cache blockCache, BloomFilter filter) {
    return new BlockBasedTableConfig()
        .setBlockCache(blockCache)
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setPinTopLevelIndexAndFilter(true)
        .setIndexType(IndexType.kTwoLevelIndexSearch)
        .setPartitionFilters(true)
        .setMetadataBlockSize(PART_BYTES)
        .setFilterPolicy(filter);
  }

  /// Returns the options of a database. Options that are not set have RocksDB's default. The
  /// memtable is never written, hence its size.
  private static Options options(RocksDiskConfig config, BlockBasedTableConfig table) {
    Options options = new Options();
    options.setCreateIfMissing(false);
    options.setParanoidChecks(true);
    options.setTableFormatConfig(table);
    options.setCompressionType(CompressionType.LZ4_COMPRESSION);
    options.setCompactionStyle(CompactionStyle.LEVEL);
    options.setLevelCompactionDynamicLevelBytes(true);
    options.setLevel0FileNumCompactionTrigger(RUNS_TO_MERGE);
    options.setMaxBytesForLevelBase(FIRST_LEVEL_BYTES);
    options.setMaxBytesForLevelMultiplier(LEVEL_FACTOR);
    options.setMaxBackgroundJobs(config.compactionThreads() + 1);
    options.setMaxOpenFiles(config.openFilesPerTask());
    options.setSkipStatsUpdateOnDbOpen(true);
    options.setWriteBufferSize(SMALLEST_MEMTABLE_BYTES);
    options.setBytesPerSync(SYNC_AHEAD_BYTES);
    options.setCompactionReadaheadSize(READ_AHEAD_BYTES);
    options.setStatsDumpPeriodSec(0);
    options.setStatsPersistPeriodSec(0);
    options.setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
    options.setMaxLogFileSize(LOG_BYTES);
    options.setKeepLogFileNum(2);
    return options;
  }
}
