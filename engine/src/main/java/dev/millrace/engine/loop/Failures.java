package dev.millrace.engine.loop;

import dev.millrace.engine.commit.Failure;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.EngineSettings.BadInput;
import dev.millrace.engine.settings.EngineSettings.Place;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.LogException;
import dev.millrace.spi.SinkException;
import dev.millrace.state.RefusedAtCommitException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what is to be made of what a worker's tasks throw.
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private final WorkerContext context;
  private final WorkerTasks tasks;

  Failures(WorkerContext context, WorkerTasks tasks) {
    this.context = context;
    this.tasks = tasks;
  }

  /// What went wrong at the task at work, which is also noted where it must be.
  Failure of(Throwable thrown) {
    Plan.TaskId id = tasks.at();
    String where = id == null ? "A task" : "Task " + id;
    return switch (thrown) {
      case LogException e when e.kind() == LogException.Kind.UNAVAILABLE ->
          new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      case LogException e when e.kind() == LogException.Kind.FENCED ->
          new Failure(Failure.Kind.FENCED, where + ": " + e.getMessage(), e);
      case LogException e -> new Failure(Failure.Kind.FINAL, where + ": " + e.getMessage(), e);
      case DiskException e when e.kind() == DiskException.Kind.IN_USE ->
          new Failure(Failure.Kind.FINAL, where + ": " + e.getMessage(), e);
      case DiskException e when e.kind() == DiskException.Kind.FULL -> {
        tasks.space().missing();
        yield new Failure(Failure.Kind.NO_SPACE, where + ": " + e.getMessage(), e);
      }
      case DiskException e -> {
        if (id != null) {
          tasks.diskFailed(id, e);
        }
        yield new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      }
      case RefusedAtCommitException e ->
          new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      case SinkException e -> new Failure(Failure.Kind.MENDABLE, where + ": " + e.getMessage(), e);
      case CannotBeginException e ->
          new Failure(Failure.Kind.SETUP, Objects.requireNonNullElse(e.getMessage(), ""), null);
      case VirtualMachineError e ->
          new Failure(Failure.Kind.FINAL, where + " ran out of what the JVM has: " + e, e);
      default -> inUserCode(tasks.taskAt(), where, thrown);
    };
  }

  private Failure inUserCode(@Nullable Task task, String where, Throwable thrown) {
    String operator = task == null ? "" : task.failedOperator();
    Place place = task == null ? null : task.failedRecord();
    String cause = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    if (operator.isEmpty()) {
      return new Failure(Failure.Kind.FINAL, where + " cannot go on: " + cause, thrown);
    }
    if (place == null) {
      String at =
          task != null && task.isInMemory()
              ? "at a record that came through memory and so has no offset; with exchanges by topic"
                  + " it has one, by which it can be passed over"
              : "in a timer or a window's result";
      return new Failure(
          Failure.Kind.FINAL,
          "%s failed in %s, %s: %s".formatted(where, operator, at, cause),
          thrown);
    }
    String message =
        "%s cannot process the record at %s in %s: %s".formatted(where, place, operator, cause);
    if (context.settings().badInput() == BadInput.FAIL) {
      return new Failure(
          Failure.Kind.BAD_INPUT,
          message
              + "\nPass over it with --skip "
              + place
              + ", or have all such records sent to a topic with errors.on-error: dead-letter.",
          thrown);
    }
    LOG.warn("{}", message);
    context.badRecords().add(place, operator, cause);
    return new Failure(Failure.Kind.PROGRESS, message, thrown);
  }
}
