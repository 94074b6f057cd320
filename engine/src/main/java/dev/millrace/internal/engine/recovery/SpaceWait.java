package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.GrowingPause;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a worker does while the disk of its tasks is full. It commits as before: what is committed
/// is safe in the changelog, and only a recovery gets longer. A task takes records until what it
/// keeps in memory for the disk fills its share, and none after that. The disk is tried again and
/// again, as it is not the job's fault and nothing is lost by waiting.
public final class SpaceWait {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceWait.class);
  private static final Duration TELL_EVERY = Duration.ofMinutes(1);

  private final Clock clock;
  private final WorkerMetrics metrics;
  private final GrowingPause pause = new GrowingPause();
  private boolean full;

  /// Whether tasks could not be opened or restored for want of space.
  private boolean opening;

  private long sinceNanos;
  private long tryAtNanos;
  private long toldNanos;

  /// @param metrics of the worker, which say whether it waits
  public SpaceWait(Clock clock, WorkerMetrics metrics) {
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Whether the disk may be written to now: there is space as far as is known, or it is time to
  /// look.
  boolean mayTry(long nowNanos) {
    return !full || nowNanos - tryAtNanos >= 0;
  }

  /// Whether a task must not take on more, since it has no more memory for what the disk does not
  /// take.
  public boolean holdsBack(DurableState task) {
    return full && task.state().needsFlush();
  }

  /// Finishes to bring a task's disk up to its committed position if there is space.
  ///
  /// @return whether there was
  boolean finishFlush(DurableState task) {
    try {
      task.finishFlush();
    } catch (DiskException e) {
      if (e.kind() != DiskException.Kind.FULL) {
        throw e;
      }
      refused(task.task(), e);
      return false;
    }
    accepted();
    return true;
  }

  /// There was no space to open or restore a task; the commit group waits and has it tried again.
  public void missing() {
    opening = true;
    metrics.waitsForSpace(true);
  }

  /// All tasks are open and restored.
  public void restored() {
    if (opening) {
      opening = false;
      metrics.waitsForSpace(full);
    }
  }

  private void refused(Plan.TaskId task, DiskException e) {
    long now = clock.nanos();
    if (!full) {
      sinceNanos = now;
    }
    if (!full || now - toldNanos >= TELL_EVERY.toNanos()) {
      toldNanos = now;
      LOG.warn(
          "There has been no disk space for the state of task {} for {} s: {}. Nothing is lost: the"
              + " task still commits, records are processed until the state in memory has reached"
              + " its share of memory.budget, and the disk is tried again at least every {} s.",
          task,
          Duration.ofNanos(now - sinceNanos).toSeconds(),
          e.getMessage(),
          GrowingPause.LONGEST.toSeconds());
    }
    full = true;
    tryAtNanos = now + pause.nextNanos();
    metrics.waitsForSpace(true);
  }

  private void accepted() {
    if (full) {
      LOG.info(
          "There is disk space for state again, after {} s.",
          Duration.ofNanos(clock.nanos() - sinceNanos).toSeconds());
    }
    full = false;
    pause.reset();
    metrics.waitsForSpace(false);
  }
}
