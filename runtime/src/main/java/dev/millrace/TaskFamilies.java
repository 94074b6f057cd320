package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Metrics of each task.
final class TaskFamilies {
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;

  private record OfTasks(
      String name, Kind kind, String help, Function<TaskMetrics, Optional<Double>> value) {}

  private static final List<OfTasks> TASKS =
      List.of(
          new OfTasks(
              "millrace_records_total",
              Kind.COUNTER,
              "Records read; records read again after a roll-back count again.",
              task -> Optional.of((double) task.processed())),
          new OfTasks(
              "millrace_task_busy_seconds_total",
              Kind.COUNTER,
              "Time for which records of a task have been processed.",
              task -> Optional.of(task.busyNanos() / NANOS)),
          new OfTasks(
              "millrace_restored_records_total",
              Kind.COUNTER,
              "Records of the changelog that were replayed.",
              task -> Optional.of((double) task.restored())),
          new OfTasks(
              "millrace_late_records_total",
              Kind.COUNTER,
              "Records that were too late to change a result.",
              task -> Optional.of((double) task.late())),
          new OfTasks(
              "millrace_far_ahead_records_total",
              Kind.COUNTER,
              "Records whose event time was too far in the future to advance the watermark.",
              task -> Optional.of((double) task.farAhead())),
          new OfTasks(
              "millrace_bad_records_total",
              Kind.COUNTER,
              "Records that were skipped or sent to the dead-letter topic.",
              task -> Optional.of((double) task.skipped())),
          new OfTasks(
              "millrace_dead_letters_total",
              Kind.COUNTER,
              "Bad records that were sent to the dead-letter topic.",
              task -> Optional.of((double) task.deadLetters())),
          new OfTasks(
              "millrace_lag_records",
              Kind.GAUGE,
              "Offsets of the inputs that a task has not processed; absent if unknown.",
              task -> task.lag() < 0 ? Optional.empty() : Optional.of((double) task.lag())),
          new OfTasks(
              "millrace_restore_remaining_records",
              Kind.GAUGE,
              "Offsets of the changelog still to be replayed.",
              task -> Optional.of((double) task.restoreRemaining())),
          new OfTasks(
              "millrace_tables_remaining_records",
              Kind.GAUGE,
              "Offsets of tables still to be read before records that look them up are processed.",
              task -> Optional.of((double) task.tablesRemaining())),
          new OfTasks(
              "millrace_snapshots_total",
              Kind.COUNTER,
              "Snapshots that were taken of a task's state.",
              task -> Optional.of((double) task.snapshots().taken())),
          new OfTasks(
              "millrace_failed_snapshots_total",
              Kind.COUNTER,
              "Snapshots that could not be taken or used.",
              task -> Optional.of((double) task.snapshots().failed())),
          new OfTasks(
              "millrace_snapshot_bytes_total",
              Kind.COUNTER,
              "Bytes copied for snapshots.",
              task -> Optional.of((double) task.snapshots().copiedBytes())),
          new OfTasks(
              "millrace_snapshot_offset",
              Kind.GAUGE,
              "Changelog offset of the last snapshot; absent without a snapshot.",
              task -> known(task.snapshots().lastOffset())),
          new OfTasks(
              "millrace_restored_from_snapshot_offset",
              Kind.GAUGE,
              "Changelog offset of the snapshot from which the state was restored; absent if it was"
                  + " not.",
              task -> known(task.snapshots().restoredOffset())),
          new OfTasks(
              "millrace_state_memory_bytes",
              Kind.GAUGE,
              "Memory of decoded objects and of state that is not on disk yet.",
              task -> Optional.of((double) task.stateBytes())),
          new OfTasks(
              "millrace_watermark_seconds",
              Kind.GAUGE,
              "Watermark of a task, in seconds since 1970; absent if unknown or at the end of the"
                  + " input.",
              task -> watermark(task).map(millis -> millis / MILLIS)),
          new OfTasks(
              "millrace_watermark_delay_seconds",
              Kind.GAUGE,
              "Time by which a task's watermark is behind the clock.",
              task ->
                  watermark(task).map(millis -> (System.currentTimeMillis() - millis) / MILLIS)));

  private TaskFamilies() {}

  static List<MetricFamily> of(Map<Plan.TaskId, TaskMetrics> tasks) {
    List<MetricFamily> families = new ArrayList<>();
    for (OfTasks metric : TASKS) {
      List<Point> points = new ArrayList<>();
      tasks.forEach((id, task) ->
          metric.value().apply(task).ifPresent(value -> points.add(new Point(labels(id), value))));
      families.add(new MetricFamily(metric.name(), metric.kind(), metric.help(), points));
    }
    return families;
  }

  static Map<String, String> labels(Plan.TaskId id) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("task", id.toString());
    labels.put("stage", Integer.toString(id.stage()));
    labels.put("partition", Integer.toString(id.partition()));
    return labels;
  }

  private static Optional<Double> known(long offset) {
    return offset < 0 ? Optional.empty() : Optional.of((double) offset);
  }

  private static Optional<Long> watermark(TaskMetrics task) {
    long watermark = task.watermark();
    return watermark == Long.MIN_VALUE || watermark == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(watermark);
  }
}
