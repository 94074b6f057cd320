package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.spi.Clock;
import java.time.Duration;

/// Passes on what a worker's tasks send through memory: records, and between commits how far event
/// time has come.
///
/// Batches are sent when they are full, and every few milliseconds as they are: what comes of them,
/// windows that close among it, is done while others send more. A commit, for which all that is
/// under way must be processed, then finds little.
final class DirectFlush {
  private static final long APART_NANOS = Duration.ofMillis(20).toNanos();

  private final WorkerTasks tasks;
  private final DirectPort port;
  private final Clock clock;
  private long passedNanos;

  DirectFlush(WorkerContext context, WorkerTasks tasks) {
    this.tasks = tasks;
    port = context.direct();
    clock = context.clock();
  }

  /// @param atBarrier whether a commit's barrier is on its way, which tells event time itself
  /// @return whether anything was passed on
  boolean step(long nowNanos, boolean atBarrier) {
    boolean any = port.handOver();
    if (atBarrier || !port.isUsed() || nowNanos - passedNanos < APART_NANOS) {
      return any;
    }
    passedNanos = nowNanos;
    long millis = clock.millis();
    // Nobody is told anything before what lies in the topic is processed.
    tasks.each(task -> port.isOpen(task.id().stage()), task -> task.announce(millis));
    return port.handOverAll() || any;
  }
}
