package dev.millrace.benchmarks.containers;

import java.util.Arrays;

/// When something came, in order, by [System#nanoTime]. Used by one thread at a time.
final class Timeline {
  private long[] nanos = new long[1 << 10];
  private int size;

  /// Some time in which nothing came.
  ///
  /// @param from when something came last
  /// @param to when something came next
  record Gap(long from, long to) {
    private static final double SECOND = 1e9;

    double seconds() {
      return (to - from) / SECOND;
    }

    private boolean isLongerThan(Gap other) {
      return to - from > other.to - other.from;
    }
  }

  /// Takes in that something came, not before what came last.
  void add(long now) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
    }
    nanos[size++] = now;
  }

  /// Returns when something came first after a moment; [Long#MAX_VALUE] if nothing has yet.
  long firstAfter(long moment) {
    int at = indexAfter(moment);
    return at == size ? Long.MAX_VALUE : nanos[at];
  }

  private int indexAfter(long moment) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (nanos[middle] - moment > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// Returns the longest gap that lies at least partly between two moments. It counts as a whole,
  /// also what lies before the first moment or behind the second. Where nothing came before or has
  /// come behind yet, the moment itself is its end.
  Gap longest(long from, long to) {
    int at = indexAfter(from);
    long last = at == 0 ? from : nanos[at - 1];
    Gap longest = new Gap(last, last);
    for (; at < size && last - to < 0; at++) {
      Gap gap = new Gap(last, nanos[at]);
      longest = gap.isLongerThan(longest) ? gap : longest;
      last = nanos[at];
    }
    Gap open = new Gap(last, to);
    return open.isLongerThan(longest) ? open : longest;
  }
}
