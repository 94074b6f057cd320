package dev.millrace.internal.engine.loop;

/// Which of a worker's tasks may go on now.
///
/// On the way to a barrier only what it waits for is done, whether or not there is memory for what
/// comes of it: that is given back by the commit, and is no more than what was under way.
final class Admission {
  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final InputSchedule schedule;
  private boolean toBarrier;
  private boolean room;
  private boolean free;

  Admission(WorkerContext context, WorkerTasks tasks, InputSchedule schedule) {
    this.context = context;
    this.tasks = tasks;
    this.schedule = schedule;
  }

  /// Takes over how things stand in this step.
  ///
  /// @param isToBarrier whether a barrier is under way
  /// @param hasRoom whether there is memory for what leaves
  /// @param isFree whether tasks may go on otherwise
  void look(boolean isToBarrier, boolean hasRoom, boolean isFree) {
    toBarrier = isToBarrier;
    room = hasRoom;
    free = isFree;
  }

  boolean hasRoom() {
    return room;
  }

  boolean isFree() {
    return free;
  }

  private boolean isToBarrier() {
    return toBarrier;
  }

  /// Whether a task's time may move on.
  boolean mayAdvance(Task task) {
    if (isToBarrier()) {
      return !task.advancing().takesRecords() && task.receives() && hasPlace(task);
    }
    return free && !task.advancing().takesRecords() && canTakeMore(task);
  }

  /// The same for records.
  boolean mayProcess(InputSchedule.Turn turn) {
    Task task = turn.task();
    if (!turn.input().hasWaiting() || schedule.isHeld(turn)) {
      return false;
    }
    if (isToBarrier()) {
      return turn.input().inMemory() && task.advancing().takesRecords() && hasPlace(task);
    }
    return free && task.advancing().takesRecords() && canTakeMore(task);
  }

  /// The same for what is due by its clock.
  boolean mayTick(Task task) {
    return task.advancing().isDue() && task.advancing().takesRecords() && canTakeMore(task);
  }

  private boolean canTakeMore(Task task) {
    return task.advancing().hasRoom() && !tasks.space().holdsBack(task.durable()) && maySend(task);
  }

  /// Whether the next stage takes what comes of a task.
  boolean maySend(Task task) {
    return hasPlace(task) && context.direct().isOpen(task.id().stage());
  }

  private boolean hasPlace(Task task) {
    return context.direct().haveRoom(task.id().stage());
  }
}
