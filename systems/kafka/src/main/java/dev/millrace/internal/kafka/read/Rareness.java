package dev.millrace.internal.kafka.read;

import java.time.Duration;

/// Whether a broker has had records rarely of late, so that it may be asked patiently: it waits
/// long for records, and answers as soon as it has some.
///
/// It has so if it had nothing a few times in a row, and as long as records come only behind a
/// wait: then one request is enough for each. Used by one thread.
final class Rareness {
  /// After how many answers in a row without records.
  private static final int EMPTY = 3;

  /// Behind how long a wait records are rare.
  private static final long RARE_NANOS = Duration.ofMillis(100).toNanos();

  private int empty;

  /// Takes in an answer.
  ///
  /// @param bytes of records in it
  /// @param waitedNanos how long it took
  void answered(long bytes, long waitedNanos) {
    if (bytes == 0) {
      empty = Math.min(EMPTY, empty + 1);
    } else if (waitedNanos < RARE_NANOS) {
      empty = 0;
    }
  }

  boolean isRare() {
    return empty >= EMPTY;
  }
}
