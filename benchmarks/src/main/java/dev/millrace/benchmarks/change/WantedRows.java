package dev.millrace.benchmarks.change;

import java.util.Arrays;

/// The rows that must come out, by the number of the event: a fold of the events of each key, in
/// the order in which they are added. Columns, because there are millions.
final class WantedRows {
  private static final int FIRST = 1 << 16;

  private long[] keys = new long[FIRST];
  private int[] counts = new int[FIRST];
  private long[] sums = new long[FIRST];
  private int size;

  /// By key, the number of its last event and 1; 0 if it has none.
  private final int[] last;

  /// @param ofKeys how many keys there are
  WantedRows(long ofKeys) {
    last = new int[Math.toIntExact(ofKeys)];
  }

  /// Adds the next event.
  ///
  /// @param first what the key had before all events, whose count was 1
  void add(long key, long amount, long first) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
      sums = Arrays.copyOf(sums, 2 * size);
    }
    int before = last[(int) key] - 1;
    keys[size] = key;
    counts[size] = (before < 0 ? 1 : counts[before]) + 1;
    sums[size] = (before < 0 ? first : sums[before]) + amount;
    size++;
    last[(int) key] = size;
  }

  int size() {
    return size;
  }

  long key(int number) {
    return keys[number];
  }

  long count(int number) {
    return counts[number];
  }

  long sum(int number) {
    return sums[number];
  }
}
