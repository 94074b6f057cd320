package dev.millrace;

import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;

/// How far a task is. Counters are those since its job started in this process.
///
/// @param stage of the plan, from 0
/// @param partition of every stream that the task reads
/// @param processed records that it has read
/// @param lag records that it has still to read, as far as is known
/// @param watermark in milliseconds since 1970; [Long#MIN_VALUE] if it has none yet
/// @param skipped records that were bad input and skipped
/// @param late records that came after the watermark and too late to change anything
/// @param snapshots of its state that were taken
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
