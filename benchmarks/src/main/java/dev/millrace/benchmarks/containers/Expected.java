package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.util.Arrays;
import java.util.BitSet;

/// What must come out, and what did: a fold of the events in the order in which they are written,
/// made when they are. No engine has a part in it. Thread-safe.
///
/// An event has the number of its turn and a key; its one row must say how many events its key has
/// had up to it, and what their amounts add up to. So an event that was lost, or counted twice, is
/// seen in the row of the next event of its key, and the last rows are the final counts.
final class Expected {
  private static final int FIRST = 1 << 16;

  private final long[] countOfKey;
  private final long[] sumOfKey;
  private final long[] rowsOfKey;
  private int[] keys = new int[FIRST];
  private int[] counts = new int[FIRST];
  private long[] sums = new long[FIRST];
  private long[] sentNanos = new long[FIRST];
  private int size;
  private final BitSet seen = new BitSet();
  private int answered;
  private long doubled;
  private long wrong;

  /// @param keys of the state; each has one event from [#filling] before all others
  Expected(int keys) {
    countOfKey = new long[keys];
    sumOfKey = new long[keys];
    rowsOfKey = new long[keys];
  }

  /// What is wrong of the output.
  ///
  /// @param lost events without a row
  /// @param doubled rows of events that had one before
  /// @param wrong rows whose key, count or sum is another one
  /// @param keys whose last row has another count than all of their events
  record Wrong(long lost, long doubled, long wrong, long keys) {
    long all() {
      return lost + doubled + wrong + keys;
    }

    boolean isNothing() {
      return all() == 0;
    }
  }

  int keys() {
    return countOfKey.length;
  }

  /// Returns the event by which a key comes into the state; it has no row.
  synchronized Event filling(int key) {
    Event event = new Event(key, Event.UNNUMBERED, amount(-key - 1L));
    countOfKey[key]++;
    sumOfKey[key] += event.amount();
    return event;
  }

  private static long amount(long number) {
    return Padding.mixed(number) & 0xFFFF;
  }

  /// Returns the next numbered event, which is written next.
  synchronized Event next() {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
      sums = Arrays.copyOf(sums, 2 * size);
      sentNanos = Arrays.copyOf(sentNanos, 2 * size);
    }
    int key = (int) ((Padding.mixed(size) >>> 1) % countOfKey.length);
    Event event = new Event(key, size, amount(size));
    keys[size] = key;
    counts[size] = (int) ++countOfKey[key];
    sums[size] = sumOfKey[key] += event.amount();
    sentNanos[size] = System.nanoTime();
    size++;
    return event;
  }

  /// Returns how many numbered events there are.
  synchronized int events() {
    return size;
  }

  /// Returns how many of them have a row.
  synchronized int answered() {
    return answered;
  }

  /// Takes a row that was read.
  ///
  /// @return when its event was made, by [System#nanoTime]
  synchronized long accept(long key, Row row) {
    int number = (int) row.number();
    if (row.number() < 0 || row.number() >= size) {
      wrong++;
      return System.nanoTime();
    }
    boolean right =
        key == keys[number]
            && row.count() == counts[number]
            && row.sum() == sums[number]
            && row.mark() == Padding.mark(Padding.of(key));
    if (!right) {
      wrong++;
    } else {
      rowsOfKey[(int) key] = Math.max(rowsOfKey[(int) key], row.count());
    }
    if (seen.get(number)) {
      doubled++;
    } else {
      seen.set(number);
      answered++;
    }
    return sentNanos[number];
  }

  /// Returns what is wrong of all that was read; events on their way count as lost.
  synchronized Wrong wrong() {
    BitSet asked = new BitSet();
    for (int i = 0; i < size; i++) {
      asked.set(keys[i]);
    }
    long unequal = asked.stream().filter(key -> rowsOfKey[key] != countOfKey[key]).count();
    return new Wrong(size - answered, doubled, wrong, unequal);
  }
}
