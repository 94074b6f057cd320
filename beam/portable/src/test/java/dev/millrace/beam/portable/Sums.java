package dev.millrace.beam.portable;

import java.util.List;
import java.util.TreeSet;

/// What the program `sums.py` must give.
final class Sums {
  private static final long KEYS = 7;
  private static final long WINDOW_MILLIS = 500;
  private static final long FACTOR = 3;

  private Sums() {}

  /// Returns its lines, in order, as plain arithmetic says.
  ///
  /// @param numbers how many there are
  static List<String> expected(long numbers) {
    TreeSet<String> lines = new TreeSet<>();
    for (long start = 0; start < numbers; start += WINDOW_MILLIS) {
      for (long key = 0; key < KEYS; key++) {
        long count = 0;
        long sum = 0;
        for (long number = start; number < Math.min(numbers, start + WINDOW_MILLIS); number++) {
          if (number % KEYS == key) {
            count++;
            sum += number;
          }
        }
        lines.add("grouped %d %d %d %d 0".formatted(key, start, count, sum * FACTOR));
        lines.add("counted %d %d %d".formatted(key, start, sum));
      }
    }
    return List.copyOf(lines);
  }
}
