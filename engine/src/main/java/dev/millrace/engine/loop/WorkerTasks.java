package dev.millrace.engine.loop;

import dev.millrace.api.Source;
import dev.millrace.api.Start;
import dev.millrace.engine.commit.CommitRecord;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.topology.Node;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.SplitSource;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.state.StateLimits;
import dev.millrace.state.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// The tasks of one worker: how they are opened, restored, begun and closed.
final class WorkerTasks {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerTasks.class);

  private final WorkerContext context;
  private final Log log;
  private final Disks disks;
  private final StateLimits limits;
  private final List<Plan.TaskId> ids;
  private final Map<Plan.TaskId, TaskMetrics> metrics = new LinkedHashMap<>();
  private final Map<Plan.TaskId, Task> open = new LinkedHashMap<>();
  private final Map<Split, Task> restoring = new LinkedHashMap<>();
  private Map<Split, Long> ends = new LinkedHashMap<>();
  private @Nullable SplitReader changelog;
  private @Nullable Task at;

  WorkerTasks(
      WorkerContext context, Log log, Disks disks, StateLimits limits, List<Plan.TaskId> ids) {
    this.context = context;
    this.log = log;
    this.disks = disks;
    this.limits = limits;
    this.ids = ids;
    ids.forEach(id -> metrics.put(id, new TaskMetrics()));
  }

  Iterable<Task> all() {
    return open.values();
  }

  Map<Plan.TaskId, TaskMetrics> metrics() {
    return metrics;
  }

  /// The task at work; null between tasks.
  @Nullable Task at() {
    return at;
  }

  /// Also names the task and its partition in the log's context, for what user code logs.
  void at(@Nullable Task task) {
    at = task;
    if (task == null) {
      MDC.remove("task");
      MDC.remove("partition");
    } else {
      MDC.put("task", task.name());
      MDC.put("partition", task.partition());
    }
  }

  /// Opens the disks that are not open, and begins to replay what the changelog holds beyond them.
  void startRestore(Map<Split, Long> changelogEnds) {
    ends = changelogEnds;
    endRestore();
    List<Plan.TaskId> missing = new ArrayList<>(ids);
    missing.removeAll(open.keySet());
    if (!missing.isEmpty()) {
      openTasks(missing);
    }
    SplitReader reader = log.reader("restore");
    changelog = reader;
    for (Task task : open.values()) {
      long end = end(task);
      if (task.changelogPosition() > end) {
        throw new CannotBeginException(
            "The local state of task %s is at offset %d of %s, which ends at %d: records of the changelog were lost."
                    .formatted(task.id(), task.changelogPosition(), task.changelog(), end)
                + " Restore the topic, or remove the local state to go on from what the changelog"
                + " has.");
      }
      if (task.changelogPosition() < end) {
        restoring.put(task.changelog(), task);
        task.metrics().restoreRemaining(end - task.changelogPosition());
        reader.add(task.changelog(), Position.of(task.changelogPosition()));
      }
    }
  }

  private long end(Task task) {
    return Objects.requireNonNull(ends.get(task.changelog()), "No end for " + task.changelog());
  }

  private void openTasks(List<Plan.TaskId> missing) {
    List<Split> splits =
        missing.stream()
            .map(id -> new Split(context.plan().changelogTopic(), id.number()))
            .toList();
    Map<Split, Log.Offsets> offsets = log.offsets(splits);
    for (Plan.TaskId id : missing) {
      Split split = new Split(context.plan().changelogTopic(), id.number());
      List<TaskState.NumberedStore> stores = new ArrayList<>();
      for (Plan.Store store : context.plan().stages().get(id.stage()).stores()) {
        stores.add(new TaskState.NumberedStore(store.number(), store.spec()));
      }
      TaskState state = new TaskState(id.toString(), disks.open(id.toString()), stores, limits);
      boolean opened = false;
      try {
        Task task =
            new Task(
                context,
                id,
                state,
                Objects.requireNonNull(offsets.get(split)).start(),
                Objects.requireNonNull(metrics.get(id)));
        open.put(id, task);
        opened = true;
      } finally {
        if (!opened) {
          state.close();
        }
      }
    }
  }

  /// Replays a batch.
  boolean restoreStep() {
    SplitReader reader = changelog;
    if (reader == null || restoring.isEmpty()) {
      return false;
    }
    RecordBatch batch = reader.poll(Duration.ZERO);
    if (batch == null) {
      return false;
    }
    Task task = restoring.get(batch.split());
    if (task != null) {
      at = task;
      task.replay(batch);
      if (task.state().wantsFlush()) {
        task.flush();
      }
      at = null;
      task.metrics().restoreRemaining(Math.max(0, end(task) - task.changelogPosition()));
      if (task.changelogPosition() >= end(task)) {
        restoring.remove(task.changelog());
        reader.remove(task.changelog());
      }
    }
    batch.release();
    return true;
  }

  boolean restored() {
    if (restoring.isEmpty()) {
      endRestore();
      return true;
    }
    return false;
  }

  private void endRestore() {
    restoring.clear();
    SplitReader reader = changelog;
    changelog = null;
    if (reader != null) {
      reader.close();
    }
  }

  /// The writers of commit records that were written under another placement.
  Set<WriterId> foreignWriters() {
    Set<WriterId> foreign = new LinkedHashSet<>();
    for (Task task : open.values()) {
      CommitRecord record = task.committed();
      if (record != null && !record.placement().equals(context.place().placement())) {
        foreign.add(record.writer());
      }
    }
    return foreign;
  }

  /// Brings every task to where its last commit stopped.
  Iterable<Task> begin() {
    for (Task task : open.values()) {
      at = task;
      CommitRecord record = task.committed();
      if (record != null && record.planVersion() != context.plan().version()) {
        throw new CannotBeginException(
            "Task %s was committed by plan %x of application '%s'; this is plan %x. Run the same topology"
                    .formatted(
                        task.id(),
                        record.planVersion(),
                        context.plan().application(),
                        context.plan().version())
                + " with the same partitions, or give the application another name.");
      }
      task.begin(record == null ? newInputs(task) : oldInputs(task, record));
    }
    at = null;
    return open.values();
  }

  private List<TaskInput> oldInputs(Task task, CommitRecord record) {
    List<TaskInput> inputs = new ArrayList<>();
    for (CommitRecord.Input input : record.inputs()) {
      inputs.add(TaskInput.restore(input, planned(task, input.split())));
    }
    return inputs;
  }

  private Plan.Input planned(Task task, Split split) {
    for (Plan.Input input : stage(task).inputs()) {
      if (input.stream().equals(split.stream())) {
        return input;
      }
    }
    throw new IllegalStateException(
        "The commit record of task %s names %s, which the plan does not read."
            .formatted(task.id(), split));
  }

  private Plan.Stage stage(Task task) {
    return context.plan().stages().get(task.id().stage());
  }

  private List<TaskInput> newInputs(Task task) {
    List<TaskInput> inputs = new ArrayList<>();
    for (Plan.Input planned : stage(task).inputs()) {
      if (task.id().partition() < planned.partitions()) {
        Split split = new Split(planned.stream(), task.id().partition());
        SplitSource source = context.sources().of(split.stream(), log);
        Log.Offsets offsets =
            Objects.requireNonNull(source.offsets(List.of(split)).get(split), split.toString());
        Plan.Exchange exchange = planned.exchange();
        if (exchange != null) {
          int upstream = context.plan().stages().get(exchange.fromStage()).partitions();
          inputs.add(TaskInput.create(split, planned, Position.of(offsets.start()), -1, upstream));
        } else {
          Position start = Position.of(startOffset(split, planned, offsets));
          inputs.add(
              TaskInput.create(
                  split, planned, start, bounded(planned) ? offsets.stableEnd() : -1, 0));
        }
      }
    }
    return inputs;
  }

  private static boolean bounded(Plan.Input planned) {
    for (Node head : planned.heads()) {
      if (head instanceof Node.Input input && input.source().bounded()) {
        return true;
      }
    }
    return false;
  }

  private long startOffset(Split split, Plan.Input planned, Log.Offsets offsets) {
    return switch (start(planned)) {
      case Start.Earliest earliest -> offsets.start();
      case Start.Latest latest -> offsets.stableEnd();
      case Start.At(var time) ->
          Objects.requireNonNull(
              context.sources().of(split.stream(), log).offsetsAt(List.of(split), time).get(split));
    };
  }

  private Start start(Plan.Input planned) {
    for (Node head : planned.heads()) {
      if (head instanceof Node.Input input) {
        Source<Object> source = input.source();
        Start start = source.start();
        if (start != null) {
          return start;
        }
      }
    }
    Start fallback = context.settings().start();
    if (fallback == null) {
      throw new CannotBeginException(
          "Application '%s' reads '%s' for the first time and nothing says from where."
                  .formatted(context.plan().application(), planned.stream())
              + " Add .startAt(Start.earliest()) to the source, or set input.start (--start) to"
              + " earliest, latest or a time.");
    }
    return fallback;
  }

  void publish(Map<Split, Long> committedEnds) {
    for (Task task : open.values()) {
      Long end = committedEnds.get(task.changelog());
      if (end != null) {
        task.publish(end);
      }
    }
  }

  /// Flushes one task, if one wants it.
  boolean flushOne(long nowNanos) {
    for (Task task : open.values()) {
      if (task.wantsFlush(nowNanos)) {
        at = task;
        task.flush();
        at = null;
        return true;
      }
    }
    return false;
  }

  boolean wantCommit() {
    for (Task task : open.values()) {
      if (task.state().wantsCommit()) {
        return true;
      }
    }
    return false;
  }

  boolean allEnded() {
    for (Task task : open.values()) {
      if (!task.ended()) {
        return false;
      }
    }
    return true;
  }

  void rollBack() {
    endRestore();
    open.values().forEach(Task::rollBack);
    at(null);
  }

  /// A disk failed: it is closed, and opened again by the next restore; wiped before if that is
  /// proven to be needed.
  void diskFailed(@Nullable Task task, DiskException failure) {
    if (task != null) {
      open.remove(task.id());
      task.close();
      if (failure.kind() == DiskException.Kind.CORRUPT) {
        LOG.warn(
            "The local state of task {} is corrupt and is restored from {}: {}",
            task.id(),
            task.changelog(),
            failure.getMessage());
        disks.wipe(task.id().toString());
      }
    }
  }

  void close(boolean orderly) {
    endRestore();
    for (Task task : open.values()) {
      if (orderly && task.state().committedBytes() > 0) {
        flushLast(task);
      }
      task.close();
    }
    open.clear();
  }

  private static void flushLast(Task task) {
    try {
      task.flush();
    } catch (DiskException e) {
      LOG.warn(
          "The state of task {} could not be flushed; the next start replays more: {}",
          task.id(),
          e.getMessage());
    }
  }
}
