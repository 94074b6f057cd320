package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The replay of what the changelog holds beyond the disks of a worker's tasks, all of them at the
/// same time. What memory cannot hold goes to disk as sorted runs, each with the position it
/// reaches, so a restore that is interrupted goes on from there.
public final class Restore {
  private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);

  private static final double NANOS = 1e9;

  private final SplitReader reader;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private final Map<Split, Goal> goals = new LinkedHashMap<>();

  /// Those that replay something of another task first.
  private final List<Goal> based = new ArrayList<>();

  private int tasks;
  private long offsets;
  private long offsetsLeft;
  private long records;
  private long bytes;
  private long startedNanos;
  private long toldNanos;

  /// @param end the offset up to which a task is replayed
  private record Goal(DurableState task, long end) {
    long left() {
      return Math.max(0, end - task.changelogPosition());
    }
  }

  /// @param reader the worker's own, which reads nothing else meanwhile
  public Restore(SplitReader reader, Clock clock, WorkerMetrics metrics) {
    this.reader = reader;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Begins anew, without a task.
  public void start() {
    end();
    tasks = 0;
    offsets = 0;
    offsetsLeft = 0;
    records = 0;
    bytes = 0;
    startedNanos = clock.nanos();
    toldNanos = startedNanos;
  }

  /// Adds a task that is behind its changelog.
  public void add(DurableState task, long end) {
    Goal goal = new Goal(task, end);
    goals.put(task.changelog(), goal);
    tasks++;
    offsets += goal.left();
    offsetsLeft += goal.left();
    task.metrics().restoreRemaining(goal.left());
    metrics.restoreLeft(-1);
    if (task.needsBase()) {
      based.add(goal);
    } else {
      begin(goal);
    }
  }

  private void begin(Goal goal) {
    goal.task.state().restoring().beginBulk(goal.left());
    reader.add(goal.task.changelog(), Position.of(goal.task.changelogPosition()));
  }

  private boolean stepBased(Consumer<Plan.TaskId> at) {
    boolean any = false;
    for (Goal goal : List.copyOf(based)) {
      at.accept(goal.task.task());
      any |= goal.task.baseStep();
      if (!goal.task.needsBase()) {
        based.remove(goal);
        begin(goal);
      }
    }
    return any;
  }

  /// Replays a batch.
  ///
  /// @param at is told which task is at work
  /// @return whether one was there
  public boolean step(Consumer<Plan.TaskId> at) {
    if (goals.isEmpty()) {
      return false;
    }
    boolean any = stepBased(at);
    RecordBatch batch = reader.poll(Duration.ZERO);
    if (batch == null) {
      return any;
    }
    Goal goal = goals.get(batch.split());
    if (goal == null) {
      batch.release();
      return true;
    }
    DurableState task = goal.task;
    at.accept(task.task());
    long before = goal.left();
    try {
      task.replay(batch, goal.end);
      records += batch.size();
      bytes += batch.dataLength();
    } finally {
      batch.release();
    }
    offsetsLeft -= before - goal.left();
    boolean arrived = goal.left() == 0;
    if (task.state().wantsFlush() || (arrived && task.state().restoring().inBulk())) {
      task.flush();
    }
    task.metrics().restoreRemaining(goal.left());
    if (arrived) {
      task.state().restoring().endBulk();
      goals.remove(task.changelog());
      reader.remove(task.changelog());
    }
    tell();
    return true;
  }

  /// Whether nothing is left to be replayed.
  public boolean done() {
    return goals.isEmpty();
  }

  /// The bytes of keys and values replayed since the start.
  public long bytes() {
    return bytes;
  }

  private void tell() {
    long now = clock.nanos();
    if (now - toldNanos < TELL_EVERY.toNanos() || goals.isEmpty()) {
      return;
    }
    toldNanos = now;
    double seconds = (now - startedNanos) / NANOS;
    long left = RestoreEstimate.leftNanos(now - startedNanos, offsets, offsetsLeft);
    metrics.restoreLeft(left);
    LOG.info(
        "Restoring {} of {} tasks from {}: {} %, {} records so far, {} a second{}.",
        goals.size(),
        tasks,
        Objects.requireNonNull(goals.keySet().iterator().next()).stream(),
        100 * (offsets - offsetsLeft) / Math.max(1, offsets),
        records,
        Math.round(records / seconds),
        left == RestoreEstimate.UNKNOWN
            ? ""
            : ", about " + Math.round(Math.ceil(left / NANOS)) + " s left");
  }

  /// Stops, wherever it is.
  public void end() {
    if (tasks > 0 && goals.isEmpty()) {
      metrics.restored(clock.nanos() - startedNanos);
      double seconds = (clock.nanos() - startedNanos) / NANOS;
      LOG.info(
          "Restored {} tasks: {} records, {} MB, in {} s.",
          tasks,
          records,
          "%.1f".formatted(bytes / 1e6),
          "%.2f".formatted(seconds));
    }
    tasks = 0;
    goals.keySet().forEach(reader::remove);
    goals.clear();
    based.clear();
    metrics.restoreLeft(0);
  }
}
