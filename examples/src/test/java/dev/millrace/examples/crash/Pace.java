package dev.millrace.examples.crash;

/// How many records a process may read in a second. Thread-safe.
final class Pace {
  private static final long SLACK_NANOS = 20_000_000;

  private static final int MOST_AT_ONCE = 100;

  private final int atOnce;
  private double nanosPerRecord;
  private long free;

  Pace(int recordsPerSecond) {
    nanosPerRecord = 1e9 / recordsPerSecond;
    atOnce = Math.clamp(recordsPerSecond / 10, 1, MOST_AT_ONCE);
    free = System.nanoTime();
  }

  /// How many records to take at a time: so few that some come ten times a second.
  int atOnce() {
    return atOnce;
  }

  /// Ends the limit.
  synchronized void hurry() {
    nanosPerRecord = 0;
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
