package dev.millrace.internal.engine.loop;

/// Which of a worker's tasks may go on now.
///
/// On the way to a barrier only what it waits for is done, whether or not there is memory for what
/// comes of it: that is given back by the commit, and is no more than what was under way.
final class Admission {
  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final Turns turns;
  private final Barrier barrier;

  Admission(WorkerContext context, WorkerTasks tasks, Turns turns, Barrier barrier) {
    this.context = context;
    this.tasks = tasks;
    this.turns = turns;
    this.barrier = barrier;
  }

  /// Whether a task's time may move on.
  ///
  /// @param free whether there is room for what comes of it
  boolean mayAdvance(Task task, boolean free) {
    if (barrier.underWay()) {
      return !task.takesRecords() && task.receives() && hasRoom(task);
    }
    return free && !task.takesRecords() && canTakeMore(task);
  }

  /// The same for records.
  boolean mayProcess(Turns.Turn turn, boolean free) {
    Task task = turn.task();
    if (!turn.input().hasWaiting() || turns.isHeld(turn)) {
      return false;
    }
    if (barrier.underWay()) {
      return turn.input().inMemory() && task.takesRecords() && hasRoom(task);
    }
    return free && mayTick(task);
  }

  /// The same for what is due by its clock.
  boolean mayTick(Task task) {
    return task.takesRecords() && canTakeMore(task);
  }

  private boolean canTakeMore(Task task) {
    return task.hasRoom() && !tasks.space().holdsBack(task.durable()) && maySend(task);
  }

  /// Whether the next stage takes what comes of a task.
  boolean maySend(Task task) {
    return hasRoom(task) && context.direct().isOpen(task.id().stage());
  }

  private boolean hasRoom(Task task) {
    return context.direct().haveRoom(task.id().stage());
  }
}
