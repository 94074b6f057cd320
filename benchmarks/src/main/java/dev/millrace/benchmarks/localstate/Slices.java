package dev.millrace.benchmarks.localstate;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// How long slices of records take, from the end of the one before, so that fetching, reading ahead
/// and commits are in it. Of this process; thread-safe.
public final class Slices {
  private static final long MOST_NANOS = 60_000_000_000L;
  private static final Histogram NANOS = new ConcurrentHistogram(MOST_NANOS, 3);
  private static final ThreadLocal<long[]> LAST = ThreadLocal.withInitial(() -> new long[1]);

  private Slices() {}

  /// A slice is done.
  ///
  /// @param records of it, each of which counts
  public static void done(long records) {
    long now = System.nanoTime();
    long[] last = LAST.get();
    if (last[0] != 0 && records > 0) {
      NANOS.recordValueWithCount(Math.min(now - last[0], MOST_NANOS), records);
    }
    last[0] = now;
  }

  /// Forgets all so far.
  static void reset() {
    NANOS.reset();
  }

  /// Within which a share of the records was done with its slice.
  static double millis(double percent) {
    return NANOS.getValueAtPercentile(percent) / 1e6;
  }
}
