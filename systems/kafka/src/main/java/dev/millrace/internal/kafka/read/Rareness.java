package dev.millrace.internal.kafka.read;

import java.time.Duration;

/// Whether a broker has had records rarely of late, so that it may be asked patiently: it waits
/// long for records, and answers as soon as it has some.
///
/// It has so if it had nothing a few times in a row, and as long as records come only behind a
/// wait: then one request is enough for each. The first time it is asked to wait for half a second,
/// then twice as long each time that nothing comes: while it waits, what is to be read besides
/// costs requests of its own. Used by one thread.
final class Rareness {
  /// After how many answers in a row without records.
  private static final int EMPTY = 3;

  /// Behind how long a wait records are rare.
  private static final long RARE_NANOS = Duration.ofMillis(100).toNanos();

  private static final Duration FIRST = Duration.ofMillis(500);

  /// From here on it does not grow, also if nobody ever asks how long it is.
  private static final Duration LAST = Duration.ofMinutes(1);

  private int empty;
  private Duration patience = FIRST;

  /// Takes in an answer.
  ///
  /// @param bytes of records in it
  /// @param waitedNanos how long it took
  void answered(long bytes, long waitedNanos) {
    if (bytes == 0) {
      if (!isRare()) {
        patience = FIRST;
        empty++;
      } else if (patience.compareTo(LAST) < 0) {
        patience = patience.multipliedBy(2);
      }
    } else if (waitedNanos < RARE_NANOS) {
      empty = 0;
    }
  }

  boolean isRare() {
    return empty >= EMPTY;
  }

  /// Returns how long the broker may wait for records where they are rare.
  Duration patience(Duration longest) {
    if (patience.compareTo(longest) > 0) {
      patience = longest;
    }
    return patience;
  }
}
