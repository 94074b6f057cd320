package dev.millrace.benchmarks.breakeven;

import dev.millrace.benchmarks.scenarios.Event;
import java.util.concurrent.ThreadLocalRandom;

/// What a job keeps for a key: a count, whether it was asked for, and as many random bytes as an
/// entry is to have, so that no compression makes the state smaller than it is said to be.
final class Entry {
  /// The key and the count.
  static final int LEAST_BYTES = Event.KEY_BYTES + Long.BYTES;

  private static final long ASKED = Long.MIN_VALUE;

  private Entry() {}

  /// A count of nothing.
  ///
  /// @param entryBytes of key and value
  static byte[] zero(int entryBytes) {
    byte[] value = new byte[entryBytes - Event.KEY_BYTES];
    ThreadLocalRandom.current().nextBytes(value);
    Event.put(value, 0, 0);
    return value;
  }

  /// The value after another event.
  static byte[] with(byte[] value, boolean asks) {
    byte[] next = value.clone();
    Event.put(next, 0, asks ? count(value) | ASKED : count(value) + 1);
    return next;
  }

  /// Whether the last event asked for the count.
  static boolean asked(byte[] value) {
    return Event.toLong(value, 0) < 0;
  }

  static long count(byte[] value) {
    return Event.toLong(value, 0) & ~ASKED;
  }
}
