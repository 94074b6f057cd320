package dev.millrace.internal.state;

/// What the stores of one task may use. Sizes are in bytes; of memory they are estimates.
///
/// @param cacheBytes for decoded objects; entries that are not live are dropped beyond it. 0 keeps
///   none
/// @param liveShareBytes how much of that may be changed and not yet committed; beyond it
///   [TaskState#wantsCommit]
/// @param committedShareBytes for what is committed and not yet on disk; beyond two thirds of it
///   [TaskState#wantsFlush], beyond all of it [TaskState#needsFlush]
/// @param maxKeyBytes the largest encoded key; larger ones are refused
/// @param maxValueBytes the largest encoded value; larger ones are refused. With the key it must
///   fit into what the changelog topic takes, which is 1 MB by default
/// @param measureEveryPut whether each value is encoded at once to learn its size, not only now and
///   then; for a task started again after [TaskState#collect] refused a value
public record StateLimits(
    long cacheBytes,
    long liveShareBytes,
    long committedShareBytes,
    int maxKeyBytes,
    int maxValueBytes,
    boolean measureEveryPut) {

  public StateLimits {
    if (cacheBytes < 0 || liveShareBytes < 0 || committedShareBytes < 0) {
      throw new IllegalArgumentException("A share of memory is not negative.");
    }
    if (maxKeyBytes < 1 || maxValueBytes < 1) {
      throw new IllegalArgumentException("The largest key and value have at least one byte.");
    }
  }

  /// 64 MB of objects, half of them live at most, 64 MB of committed entries, keys up to 64 KB and
  /// values up to 900 KB.
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

  public StateLimits withLargest(int keyBytes, int valueBytes) {
    return new StateLimits(
        cacheBytes, liveShareBytes, committedShareBytes, keyBytes, valueBytes, measureEveryPut);
  }

  public StateLimits withEveryPutMeasured() {
    return new StateLimits(
        cacheBytes, liveShareBytes, committedShareBytes, maxKeyBytes, maxValueBytes, true);
  }
}
