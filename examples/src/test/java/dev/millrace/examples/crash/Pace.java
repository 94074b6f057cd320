package dev.millrace.examples.crash;

/// How many records a process may read in a second. Thread-safe.
final class Pace {
  private static final long SLACK_NANOS = 20_000_000;

  private final double nanosPerRecord;
  private long free;

  Pace(int recordsPerSecond) {
    nanosPerRecord = 1e9 / recordsPerSecond;
    free = System.nanoTime();
  }

  /// Takes some records if it is time for them.
  ///
  /// @return how long to wait before it is, in nanoseconds; 0 if they were taken
  synchronized long take(int records) {
    long now = System.nanoTime();
    if (free - now > 0) {
      return free - now;
    }
    free = Math.max(free, now - SLACK_NANOS) + (long) (records * nanosPerRecord);
    return 0;
  }
}
