package dev.millrace;

import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;

/// The progress of a task. Counters count from the start of the job in this process.
///
/// @param stage number of the stage in the plan, from 0
/// @param partition the partition that the task reads of each of its inputs
/// @param processed records that the task has read
/// @param lag records that the task has still to read, as far as is known
/// @param watermark in milliseconds since 1970; [Long#MIN_VALUE] if there is none yet
/// @param skipped records that were bad input and skipped
/// @param late records that were too late to change a result
/// @param snapshots number of snapshots of its state that were taken
public record TaskProgress(
    int stage,
    int partition,
    long processed,
    long lag,
    long watermark,
    long skipped,
    long late,
    long snapshots) {

  static TaskProgress of(Plan.TaskId task, TaskMetrics metrics) {
    return new TaskProgress(
        task.stage(),
        task.partition(),
        metrics.processed(),
        metrics.lag(),
        metrics.watermark(),
        metrics.skipped(),
        metrics.late(),
        metrics.snapshots().taken());
  }
}
