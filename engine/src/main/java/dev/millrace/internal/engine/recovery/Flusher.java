package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.metrics.FlushCause;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When the disks of a worker's tasks are brought up to what is committed: one task at a time, its
/// run written in the background while records are processed.
public final class Flusher {
  private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

  /// So many disks are written at once at an orderly end.
  private static final int LAST_FLUSHES = 4;

  /// What is replayed in some ten milliseconds.
  private static final long REPLAYED_SOON_BYTES = 1 << 20;

  private final Clock clock;
  private final boolean durable;
  private final RecoveryPace pace;
  private final SpaceWait space;
  private final Snapshots snapshots;
  private final WorkerMetrics metrics;

  /// Why the flush under way was begun, when, and how much it writes.
  private FlushCause cause = FlushCause.INTERVAL;

  private long begunNanos;

  /// @param durable whether a flush shortens the next recovery
  public Flusher(
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
  public boolean step(Iterable<DurableState> tasks, long nowNanos, Consumer<Plan.TaskId> at) {
    for (DurableState task : tasks) {
      if (task.state().isFlushing()) {
        if (!task.state().flushIsReady() && !task.state().needsFlush()) {
          return false;
        }
        at.accept(task.task());
        return finish(task);
      }
    }
    DurableState wanting = next(tasks, nowNanos);
    if (wanting == null || !space.mayTry(nowNanos)) {
      return false;
    }
    at.accept(wanting.task());
    begunNanos = nowNanos;
    wanting.beginFlush();
    return true;
  }

  private boolean finish(DurableState task) {
    boolean flushed = space.finishFlush(task);
    if (flushed) {
      snapshots.flushed(task);
      metrics.flushed(cause, clock.nanos() - begunNanos);
    }
    return flushed;
  }

  /// Brings all disks up to date at an orderly end. Several are written at the same time: each
  /// waits more than it works.
  public void flushLast(Iterable<DurableState> tasks) {
    if (!durable) {
      return;
    }
    Deque<DurableState> underWay = new ArrayDeque<>();
    for (DurableState task : tasks) {
      TaskState state = task.state();
      if (state.isFlushing()) {
        flushes(task, task::finishFlush);
      }
      if (state.gauges().committedBytes() > 0) {
        if (state.restoring().inBulk()) {
          flushes(task, task::flush);
        } else if (flushes(task, task::beginFlush)) {
          underWay.add(task);
        }
      }
      if (underWay.size() == LAST_FLUSHES) {
        DurableState oldest = underWay.remove();
        flushes(oldest, oldest::finishFlush);
      }
    }
    underWay.forEach(task -> flushes(task, task::finishFlush));
  }

  /// Brings the disk of a task up to date that is about to be closed, unless that would take longer
  /// than it takes whoever opens it next to replay the rest. A disk that has nothing yet is
  /// written: what is on it shows if the changelog is lost.
  static void flush(DurableState task) {
    boolean isWorthIt = task.tailBytes() > REPLAYED_SOON_BYTES || !task.isOnDisk();
    if (task.canFlush() && isWorthIt) {
      flushes(task, task::flush);
    }
  }

  private static boolean flushes(DurableState task, Runnable step) {
    try {
      step.run();
      return true;
    } catch (DiskException e) {
      LOG.warn(
          "The state of task {} could not be flushed, so the next start replays more of the"
              + " changelog: {}",
          task.task(),
          e.getMessage());
      return false;
    }
  }

  private @Nullable DurableState next(Iterable<DurableState> tasks, long nowNanos) {
    DurableState wanting = null;
    FlushCause why = null;
    DurableState longest = null;
    long tails = 0;
    for (DurableState task : tasks) {
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
