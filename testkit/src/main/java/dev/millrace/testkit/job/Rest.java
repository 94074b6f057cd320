package dev.millrace.testkit.job;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.Protocol;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tells whether a job has come to rest: whether all that it can read is read, all that it asks
/// other systems is answered, and all that follows from it committed.
///
/// A commit record says up to where its task has read; while anything changes, there is one at
/// every commit interval. So a job is at rest if there was none for some of them, and nothing lies
/// after the positions of the last ones.
final class Rest implements AutoCloseable {
  private static final Duration QUIET = Shape.COMMIT_INTERVAL.multipliedBy(3);

  /// A slow machine takes few steps in that time.
  private static final int QUIET_STEPS = 60;

  private final Run run;
  private final Log log;
  private final Tail changelog;
  private final List<Read> reads = new ArrayList<>();
  private final Set<Split> watched = new TreeSet<>();
  private final Map<Integer, CommitRecord> commits = new TreeMap<>();
  private long count;
  private long changedNanos;
  private long changedStep;

  /// What a task reads of the log.
  private record Read(int task, Split split) {}

  /// @param results where the job's results go
  Rest(Run run, Log log, Collection<Split> results) {
    this.run = run;
    this.log = log;
    Plan plan = run.plan();
    List<Split> tasks = new ArrayList<>();
    for (Plan.TaskId task : plan.tasks()) {
      tasks.add(new Split(plan.changelogTopic(), task.number()));
    }
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Input input : stage.inputs()) {
        for (int i = 0; i < input.partitions() && isOnLog(input); i++) {
          Split split = new Split(input.stream(), i);
          reads.add(new Read(stage.firstTask() + i, split));
          watched.add(split);
        }
      }
    }
    watched.addAll(tasks);
    watched.addAll(results);
    changelog = new Tail(log, tasks);
  }

  private static boolean isOnLog(Plan.Input input) {
    return input.heads().stream()
        .allMatch(head -> !(head instanceof Node.Input in) || in.source().topic() != null);
  }

  /// Something has changed, or may have.
  void disturbed() {
    changedNanos = run.clock().nanos();
    changedStep = run.steps();
  }

  /// Returns how many commit records of tasks there are by now.
  long commits() {
    if (changelog.read(this::take) > 0) {
      disturbed();
    }
    return count;
  }

  private void take(Split split, ModelRecord record) {
    if (CommitRecord.KEY.equals(record.key()) && record.value() != null) {
      commits.put(split.partition(), CommitRecord.read(record.value()));
      count++;
    }
  }

  /// Returns whether the job is at rest now.
  boolean reached() {
    commits();
    if (run.completed()) {
      return nothingUnread(false);
    }
    if (!allProcess() || anyWaits()) {
      disturbed();
    }
    return run.clock().nanos() - changedNanos >= QUIET.toNanos()
        && run.steps() - changedStep >= QUIET_STEPS
        && nothingUnread(true);
  }

  private boolean allProcess() {
    for (int i = 0; i < run.containers(); i++) {
      Engine engine = run.engine(i);
      if (engine == null
          || !engine.groups().stream()
              .allMatch(group -> group.completed() || group.state() == Protocol.State.PROCESSING)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether records wait for the answers of other systems.
  private boolean anyWaits() {
    for (int i = 0; i < run.containers(); i++) {
      Engine engine = run.engine(i);
      if (engine != null
          && engine.taskMetrics().values().stream().anyMatch(task -> task.waiting() > 0)) {
        return true;
      }
    }
    return false;
  }

  /// Returns whether nothing is undecided, and perhaps all of it read.
  private boolean nothingUnread(boolean positions) {
    Map<Split, Log.Offsets> offsets = log.offsets(watched);
    for (Log.Offsets each : offsets.values()) {
      if (each.stableEnd() < each.end()) {
        return false;
      }
    }
    if (positions) {
      for (Read read : reads) {
        if (!isRead(read, Objects.requireNonNull(offsets.get(read.split)).end())) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isRead(Read read, long end) {
    CommitRecord commit = commits.get(read.task);
    if (commit != null) {
      for (CommitRecord.Input input : commit.inputs()) {
        if (input.split().equals(read.split)) {
          return input.ended() || input.position().offset() >= end;
        }
      }
    }
    return false;
  }

  @Override
  public void close() {
    changelog.close();
  }
}
