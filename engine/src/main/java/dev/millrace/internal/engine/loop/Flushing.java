package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.metrics.FlushCause;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// When the disks of a worker's tasks are brought up to what is committed: one task at a time, its
/// run written in the background while records are processed.
final class Flushing {
  private final Clock clock;
  private final boolean durable;
  private final RecoveryPace pace;
  private final SpaceWait space;
  private final Snapshots snapshots;
  private final WorkerMetrics metrics;

  /// Why the flush under way was begun, and when.
  private FlushCause cause = FlushCause.INTERVAL;

  private long begunNanos;

  /// @param durable whether a flush shortens the next recovery
  Flushing(
      Clock clock,
      boolean durable,
      RecoveryPace pace,
      SpaceWait space,
      Snapshots snapshots,
      WorkerMetrics metrics) {
    this.clock = clock;
    this.durable = durable;
    this.pace = pace;
    this.space = space;
    this.snapshots = snapshots;
    this.metrics = metrics;
  }

  /// Finishes the flush under way if it is ready, or if there is no more memory for what is
  /// committed meanwhile; if none is under way, begins one of a task that wants it: of the one with
  /// the longest tail, if a recovery would take too long.
  ///
  /// @param at is told which task is at work
  /// @return whether anything was done
  boolean step(Iterable<Task> tasks, long nowNanos, Consumer<Task> at) {
    for (Task task : tasks) {
      if (task.state().isFlushing()) {
        if (!task.state().flushIsReady() && !task.state().needsFlush()) {
          return false;
        }
        at.accept(task);
        return finish(task);
      }
    }
    Task wanting = next(tasks, nowNanos);
    if (wanting == null || !space.mayTry(nowNanos)) {
      return false;
    }
    at.accept(wanting);
    begunNanos = nowNanos;
    wanting.beginFlush();
    return true;
  }

  private boolean finish(Task task) {
    boolean flushed = space.finishFlush(task);
    if (flushed) {
      snapshots.flushed(task);
      metrics.flushed(cause, clock.nanos() - begunNanos);
    }
    return flushed;
  }

  private @Nullable Task next(Iterable<Task> tasks, long nowNanos) {
    Task wanting = null;
    FlushCause why = null;
    Task longest = null;
    long tails = 0;
    for (Task task : tasks) {
      tails += task.tailBytes();
      if (longest == null || task.tailBytes() > longest.tailBytes()) {
        longest = task;
      }
      if (why == null) {
        why = task.wantsFlush(nowNanos);
        wanting = why == null ? null : task;
      }
    }
    if (durable && pace.flushDue(tails) && longest != null && longest.canFlush()) {
      why = why == FlushCause.MEMORY ? why : FlushCause.RECOVERY;
      wanting = longest;
    }
    if (why != null) {
      cause = why;
    }
    return wanting;
  }
}
