package dev.millrace.engine.calls;

import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// A call for one thing, or for several that are asked together, with its repetitions. Used by the
/// task's thread.
final class Flight {
  private final List<Asked> asked;
  private int attempt;
  private long begunNanos;
  private long dueNanos;
  private @Nullable Future<?> running;

  Flight(List<Asked> asked) {
    this.asked = asked;
  }

  List<Asked> asked() {
    return asked;
  }

  /// How often it was begun; tells apart what comes of each.
  int attempt() {
    return attempt;
  }

  long begunNanos() {
    return begunNanos;
  }

  /// When it is to be begun again.
  long dueNanos() {
    return dueNanos;
  }

  /// @return the number of the attempt
  int begin(long nowNanos) {
    begunNanos = nowNanos;
    return ++attempt;
  }

  /// Says what is to be cancelled if it is given up.
  void running(@Nullable Future<?> newRunning) {
    running = newRunning;
  }

  boolean isUnderWay(int ofAttempt) {
    return running != null && attempt == ofAttempt;
  }

  void ended() {
    running = null;
  }

  void giveUp() {
    Future<?> cancelled = running;
    running = null;
    if (cancelled != null) {
      cancelled.cancel(true);
    }
  }

  void againAt(long nanos) {
    dueNanos = nanos;
  }
}
