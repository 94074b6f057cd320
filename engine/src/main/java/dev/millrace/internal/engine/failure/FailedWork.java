package dev.millrace.internal.engine.failure;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.DiskException;
import org.jspecify.annotations.Nullable;

/// What a worker's tasks were doing when something was thrown, and what they do about it.
public interface FailedWork {
  /// Returns the task at work, which is open or being opened; null between tasks.
  Plan.@Nullable TaskId task();

  /// Returns the operators of the task at work; null if it does not process anything.
  @Nullable Chain chain();

  /// Returns the records that the task is at work on. Called only if it has a [#chain].
  CurrentRecords records();

  /// Closes the disk of a task, which has failed; the next restore opens it again.
  void diskFailed(Plan.TaskId task, DiskException failure);

  /// Notes that there was no space to open or restore a task.
  void noSpace();
}
