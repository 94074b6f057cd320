package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.sources.ReadPartitions;
import java.util.List;

/// Begins to read partitions that were added to the topics of a worker's tasks, while these go on.
final class AddedInputs {
  private final ReadPartitions partitions;
  private final WorkerTasks tasks;
  private final InputSchedule schedule;
  private final CommitRequests requests;
  private int seen;

  AddedInputs(
      ReadPartitions partitions,
      WorkerTasks tasks,
      InputSchedule schedule,
      CommitRequests requests) {
    this.partitions = partitions;
    this.tasks = tasks;
    this.schedule = schedule;
    this.requests = requests;
  }

  /// Looks whether partitions were added since the last look. Only between two commits.
  void look() {
    int now = partitions.additions();
    if (now == seen) {
      return;
    }
    tasks.each(this::add);
    seen = now;
  }

  private void add(Task task) {
    List<TaskInput> added = tasks.added(task);
    if (!added.isEmpty()) {
      task.add(added);
      schedule.begin(task, added, () -> tasks.space().holdsBack(task.durable()));
      requests.ask(CommitCause.PROGRESS); // so that it is known that they are read
    }
  }
}
