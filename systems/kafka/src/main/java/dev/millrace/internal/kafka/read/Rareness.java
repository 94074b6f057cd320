package dev.millrace.internal.kafka.read;

import java.time.Duration;

/// Whether a broker has had records rarely of late, so that it may be asked patiently: it waits
/// long for records, and answers as soon as it has some.
///
/// It has so if it had nothing a few times in a row, and as long as most records come behind a
/// wait: then one request is enough for each. A few that come together, as the signs of life of
/// several processes, do not change that. Used by one thread.
final class Rareness {
  /// After how many answers in a row without records.
  private static final int EMPTY = 3;

  /// After how many answers in a row with records that were there already it is over.
  private static final int QUICK = 8;

  /// Behind how long a wait records are rare.
  private static final long RARE_NANOS = Duration.ofMillis(100).toNanos();

  private int empty;
  private int quick;

  /// Takes in an answer.
  ///
  /// @param bytes of records in it
  /// @param waitedNanos how long it took
  void answered(long bytes, long waitedNanos) {
    if (bytes == 0) {
      empty = Math.min(EMPTY, empty + 1);
      quick = 0;
    } else if (waitedNanos >= RARE_NANOS) {
      quick = 0;
    } else if (!isRare() || ++quick >= QUICK) {
      empty = 0;
      quick = 0;
    }
  }

  boolean isRare() {
    return empty >= EMPTY;
  }
}
