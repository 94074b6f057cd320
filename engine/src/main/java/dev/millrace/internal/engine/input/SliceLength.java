package dev.millrace.internal.engine.input;

import java.time.Duration;

/// How many records of a task go through its operators at once: so many that they take a short
/// time, however long the user's code takes for one, for a commit that is due or has ended waits
/// for them. Not fewer than that needs, for what a slice misses in the cache is read at once.
public final class SliceLength {
  public static final int MOST = 2048;

  private static final long LONGEST_NANOS = Duration.ofMillis(10).toNanos();

  /// What is known of nothing yet may take long, and much memory: results may be large.
  private static final int FIRST = 16;

  private int records = FIRST;

  public int records() {
    return records;
  }

  /// So many records took so long.
  public void took(int processed, long nanos) {
    if (processed > 0 && nanos > 0) {
      double fit = (double) LONGEST_NANOS / nanos * processed;
      // A pause that has nothing to do with the records is soon forgotten.
      records = (int) Math.clamp(fit, 1, Math.min(MOST, 2 * records));
    }
  }
}
