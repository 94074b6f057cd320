package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.scenarios.Distribution;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.function.LongUnaryOperator;

/// The tuples that go into windows of a second: their keys are drawn from a few, their times go on
/// steadily. The same every time, so that it is known what each window must count.
///
/// A tuple's key is a number of eight bytes, its value begins with its time in milliseconds.
///
/// @param count of them
/// @param perSecond of their own time, which is also how fast they are sent
/// @param startMillis time of the first one
record Tuples(long count, int perSecond, long startMillis) {
  static final int KEYS = 10;
  static final long WINDOW_MILLIS = 1_000;

  /// With the key 100 bytes.
  private static final int VALUE_BYTES = 92;

  private static final LongUnaryOperator KEY_OF = Distribution.UNIFORM.keyOf(KEYS);

  /// Behind the last tuple, to close all windows.
  private static final long LATER_MILLIS = 10 * WINDOW_MILLIS;

  Tuples {
    if (startMillis % WINDOW_MILLIS != 0) {
      throw new IllegalArgumentException("The first window begins within a second.");
    }
  }

  static long windowOf(long timeMillis) {
    return timeMillis - timeMillis % WINDOW_MILLIS;
  }

  long key(long number) {
    return KEY_OF.applyAsLong(number);
  }

  long timeMillis(long number) {
    return startMillis + number * 1_000 / perSecond;
  }

  byte[] value(long number) {
    return value(timeMillis(number), number);
  }

  /// One that counts for a window which nobody waits for, and closes all others.
  byte[] closing() {
    return value(timeMillis(count) + LATER_MILLIS, count);
  }

  private static byte[] value(long timeMillis, long number) {
    byte[] value = new byte[VALUE_BYTES];
    Event.put(value, 0, timeMillis);
    // What tuples have alike is no gain to anybody: nothing is compressed here.
    Event.put(value, Long.BYTES, number);
    return value;
  }

  /// How many tuples of each key there are in each window, the first one first.
  long[][] counts() {
    int windows = (int) ((timeMillis(count - 1) - startMillis) / WINDOW_MILLIS) + 1;
    long[][] counts = new long[windows][KEYS];
    for (long number = 0; number < count; number++) {
      counts[(int) ((timeMillis(number) - startMillis) / WINDOW_MILLIS)][(int) key(number)]++;
    }
    return counts;
  }
}
