package dev.millrace.internal.engine.recovery;

import java.time.Duration;

/// How long a restore will take, as soon as that can be said: the first records come slowly, as
/// connections are made and code is compiled, and of a few nothing follows for millions.
final class RestoreEstimate {
  /// That it cannot be said yet.
  static final long UNKNOWN = -1;

  private static final double SHARE = 0.05;

  /// A share of so much is enough behind a time that the beginning does not count in.
  private static final double SHARE_OF_LONG = 0.01;

  private static final Duration LONG = Duration.ofSeconds(30);

  private RestoreEstimate() {}

  /// The time that is left, or `UNKNOWN`.
  ///
  /// @param nanos since the restore began
  /// @param offsets to be replayed in all
  /// @param left of them
  static long leftNanos(long nanos, long offsets, long left) {
    long done = offsets - left;
    double share = (double) done / Math.max(1, offsets);
    boolean known = share >= SHARE || (share >= SHARE_OF_LONG && nanos >= LONG.toNanos());
    return known ? (long) ((double) nanos * left / done) : UNKNOWN;
  }
}
