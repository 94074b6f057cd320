package dev.millrace.internal.state.rocksdb;

/// Limits of memory, threads and files for the RocksDBs of a container.
///
/// @param blockCacheBytes the block cache that all tasks share; indexes and filters live in it too
/// @param compactionThreads how many compactions may run at a time, of all tasks together
/// @param openFilesPerTask how many files a task may hold open, or -1 for as many as it has
public record RocksDiskConfig(long blockCacheBytes, int compactionThreads, int openFilesPerTask) {
  private static final long DEFAULT_BLOCK_CACHE_BYTES = 64L << 20;
  private static final int DEFAULT_OPEN_FILES = 500;
  private static final int FEWEST_OPEN_FILES = 20;

  public RocksDiskConfig {
    if (blockCacheBytes < 0) {
      throw new IllegalArgumentException(
          "blockCacheBytes must not be negative: " + blockCacheBytes);
    }
    if (compactionThreads < 1) {
      throw new IllegalArgumentException(
          "compactionThreads must be positive: " + compactionThreads);
    }
    if (openFilesPerTask != -1 && openFilesPerTask < FEWEST_OPEN_FILES) {
      throw new IllegalArgumentException(
          "openFilesPerTask must be -1 or at least %d: %d"
              .formatted(FEWEST_OPEN_FILES, openFilesPerTask));
    }
  }

  /// Another block cache.
  public RocksDiskConfig withBlockCacheBytes(long bytes) {
    return new RocksDiskConfig(bytes, compactionThreads, openFilesPerTask);
  }

  /// Returns a block cache of 64 MiB, two compactions at a time, 500 open files a task.
  public static RocksDiskConfig defaults() {
    return new RocksDiskConfig(DEFAULT_BLOCK_CACHE_BYTES, 2, DEFAULT_OPEN_FILES);
  }
}
