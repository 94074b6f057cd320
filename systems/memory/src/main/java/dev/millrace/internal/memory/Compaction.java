package dev.millrace.internal.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/// What is known of the compactions of a partition: whether one is due, and when records were first
/// seen by one, which says how long tombstones have been there. Guarded by the lock of the store.
final class Compaction {
  private final Deque<Pass> passes = new ArrayDeque<>();
  private boolean queued;

  /// @param before the offset below which all was committed
  private record Pass(long before, long millis) {}

  /// Notes that a compaction is due.
  ///
  /// @return whether that was not known
  boolean queue() {
    boolean before = queued;
    queued = true;
    return !before;
  }

  void begin(long before, long nowMillis) {
    queued = false;
    passes.addLast(new Pass(before, nowMillis));
  }

  /// Returns the offset below which all was committed at a time.
  long seenBy(long millis) {
    long before = 0;
    while (!passes.isEmpty() && passes.getFirst().millis <= millis) {
      before = passes.removeFirst().before;
    }
    if (before > 0) {
      passes.addFirst(new Pass(before, millis));
    }
    return before;
  }
}
