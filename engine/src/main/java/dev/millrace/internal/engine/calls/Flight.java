package dev.millrace.internal.engine.calls;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A call for one thing, or for several that are asked together, with its repetitions. Used by the
/// task's thread.
final class Flight {
  private final List<Asked> asked;
  private final int attemptsBefore;
  private int attempt;
  private long begunNanos;
  private long dueNanos;
  private @Nullable Future<?> running;

  Flight(List<Asked> asked) {
    this(asked, 0);
  }

  private Flight(List<Asked> asked, int attemptsBefore) {
    this.asked = asked;
    this.attemptsBefore = attemptsBefore;
  }

  /// A call for one of its things alone.
  Flight alone(Asked one) {
    return new Flight(List.of(one), attempts());
  }

  List<Asked> asked() {
    return asked;
  }

  /// How often it was begun; tells apart what comes of each.
  int attempt() {
    return attempt;
  }

  /// How often its things were asked: the same, with the attempts before they were asked alone.
  int attempts() {
    return attemptsBefore + attempt;
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

  /// Cancels what runs. Futures of clients may refuse that, as minimal stages of the JDK do, or
  /// throw something else: a task of the JDK takes it, and there is nothing else to be done.
  void giveUp() {
    Future<?> cancelled = running;
    running = null;
    if (cancelled != null) {
      new FutureTask<>(() -> cancelled.cancel(true)).run();
    }
  }

  void againAt(long nanos) {
    dueNanos = nanos;
  }
}
