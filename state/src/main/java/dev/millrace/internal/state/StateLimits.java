package dev.millrace.internal.state;

/// Limits of the stores of one task. Sizes are in bytes; sizes of memory are estimates.
///
/// @param cacheBytes for decoded objects; entries that are not live are dropped beyond it. 0 keeps
///   none
/// @param liveShareBytes how much of that may be changed and not yet committed; beyond it,
///   [TaskState#wantsCommit] returns true
/// @param committedShareBytes for entries that are committed and not yet on disk; beyond two thirds
///   of it, [TaskState#wantsFlush] returns true, beyond all of it [TaskState#needsFlush]
/// @param maxKeyBytes the largest encoded key; larger ones are rejected
/// @param maxValueBytes the largest encoded value; larger ones are rejected. Together with the key
///   it must fit into a record of the changelog topic, which is 1 MB by default
/// @param measureEveryPut whether each value is encoded at once to learn its size, instead of
///   samples; for a task that is started again after [TaskState#collect] rejected a value
public record StateLimits(
    long cacheBytes,
    long liveShareBytes,
    long committedShareBytes,
    int maxKeyBytes,
    int maxValueBytes,
    boolean measureEveryPut) {

  public StateLimits {
    if (cacheBytes < 0 || liveShareBytes < 0 || committedShareBytes < 0) {
      throw new IllegalArgumentException("A share of memory must not be negative.");
    }
    if (maxKeyBytes < 1 || maxValueBytes < 1) {
      throw new IllegalArgumentException(
          "The limits of keys and values must be at least one byte.");
    }
  }

  /// Returns the defaults: 64 MB of objects, at most half of them live, 64 MB of committed entries,
  /// keys up to 64 KB and values up to 900 KB.
  public static StateLimits defaults() {
    return new StateLimits(64L << 20, 32L << 20, 64L << 20, 64 * 1024, 900 * 1024, false);
  }

  public StateLimits withCacheBytes(long bytes) {
    return new StateLimits(
        bytes, bytes / 2, committedShareBytes, maxKeyBytes, maxValueBytes, measureEveryPut);
  }

  public StateLimits withLiveShareBytes(long bytes) {
    return new StateLimits(
        cacheBytes, bytes, committedShareBytes, maxKeyBytes, maxValueBytes, measureEveryPut);
  }

  public StateLimits withCommittedShareBytes(long bytes) {
    return new StateLimits(
        cacheBytes, liveShareBytes, bytes, maxKeyBytes, maxValueBytes, measureEveryPut);
  }

  /// Returns the same limits of keys and values, with the shares of memory of others.
  public StateLimits withSharesOf(StateLimits others) {
    return withCacheBytes(others.cacheBytes)
        .withLiveShareBytes(others.liveShareBytes)
        .withCommittedShareBytes(others.committedShareBytes);
  }

  public StateLimits withLargest(int keyBytes, int valueBytes) {
    return new StateLimits(
        cacheBytes, liveShareBytes, committedShareBytes, keyBytes, valueBytes, measureEveryPut);
  }

  public StateLimits withEveryPutMeasured() {
    return new StateLimits(
        cacheBytes, liveShareBytes, committedShareBytes, maxKeyBytes, maxValueBytes, true);
  }
}
