package dev.millrace.internal.engine.calls;

import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.spi.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/// Has calls come to their end when a test says so, on a clock of its own that begins shortly
/// before its numbers run over.
public final class FakeCalls implements Executor, Clock {
  private static final long NANOS_A_MILLI = 1_000_000;

  private final Gates gates = new Gates();
  private final List<Runnable> begun = new ArrayList<>();
  private final CallMetrics metrics = new CallMetrics();
  private long nanos = Long.MAX_VALUE - 1_000;

  public Calls calls() {
    return calls(() -> {});
  }

  /// Those of a worker.
  Calls calls(Runnable wakeup) {
    return new Calls(this, this, gates, wakeup);
  }

  /// What counts them.
  public CallMetrics metrics() {
    return metrics;
  }

  @Override
  public void execute(Runnable call) {
    begun.add(call);
  }

  /// How many are under way, those that were given up among them.
  int underWay() {
    return begun.size();
  }

  /// The call that was begun first comes to its end.
  void endFirst() {
    takeFirst().run();
  }

  /// The same when it is run.
  Runnable takeFirst() {
    return begun.removeFirst();
  }

  void pass(long millis) {
    nanos += millis * NANOS_A_MILLI;
  }

  /// Time goes by, and up to `most` calls end.
  public void go(Random random, int most, long millis) {
    for (int i = random.nextInt(most + 1); i > 0 && !begun.isEmpty(); i--) {
      begun.remove(random.nextInt(begun.size())).run();
    }
    pass(millis);
  }

  @Override
  public long millis() {
    return nanos / NANOS_A_MILLI;
  }

  @Override
  public long nanos() {
    return nanos;
  }
}
