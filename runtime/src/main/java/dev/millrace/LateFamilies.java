package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.metrics.LateMetrics;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Late records as metrics, by task and operator.
final class LateFamilies {
  private static final double MILLIS = 1e3;

  private final List<Point> records = new ArrayList<>();
  private final List<Point> largest = new ArrayList<>();

  /// Returns the metrics of all operators that have had late records.
  static List<MetricFamily> of(Map<Plan.TaskId, TaskMetrics> tasks) {
    LateFamilies families = new LateFamilies();
    tasks.forEach((id, task) ->
        task.lateByOperator().forEach((operator, late) -> families.add(id, operator, late)));
    return List.of(
        new MetricFamily(
            "millrace_operator_late_records_total",
            Kind.COUNTER,
            "Late records of an operator, by outcome: corrected a result, or too late.",
            families.records),
        new MetricFamily(
            "millrace_operator_largest_lateness_seconds",
            Kind.GAUGE,
            "Largest time by which a record of an operator was behind the watermark.",
            families.largest));
  }

  private void add(Plan.TaskId id, String operator, LateMetrics late) {
    Map<String, String> labels = new LinkedHashMap<>(TaskFamilies.labels(id));
    labels.put("operator", operator);
    largest.add(new Point(labels, late.largestMillis() / MILLIS));
    records.add(new Point(with(labels, "corrected"), late.corrected()));
    records.add(new Point(with(labels, "too_late"), late.tooLate()));
  }

  private static Map<String, String> with(Map<String, String> labels, String outcome) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put("outcome", outcome);
    return more;
  }
}
