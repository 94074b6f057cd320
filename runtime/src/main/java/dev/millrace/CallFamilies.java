package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.internal.engine.metrics.LatencyHistogram;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Metrics of calls to other systems, by task and operator.
final class CallFamilies {
  private static final double MICROS = 1e6;
  private static final double NANOS = 1e9;

  private record OfCalls(
      String name, Kind kind, String help, Function<CallMetrics, Optional<Double>> value) {}

  private static final List<OfCalls> CALLS =
      List.of(
          new OfCalls(
              "millrace_call_waiting_records",
              Kind.GAUGE,
              "Records that wait for answers of another system.",
              calls -> Optional.of((double) calls.waiting())),
          new OfCalls(
              "millrace_calls_under_way",
              Kind.GAUGE,
              "Calls that have begun and not yet ended.",
              calls -> Optional.of((double) calls.underWay())),
          new OfCalls(
              "millrace_calls_paused",
              Kind.GAUGE,
              "1 while all calls of the process are paused because several failed in succession.",
              calls -> Optional.of(calls.paused() ? 1.0 : 0.0)),
          new OfCalls(
              "millrace_calls_total",
              Kind.COUNTER,
              "Calls begun, including repetitions.",
              calls -> Optional.of((double) calls.made())),
          new OfCalls(
              "millrace_failed_calls_total",
              Kind.COUNTER,
              "Calls that failed or timed out, including repetitions.",
              calls -> Optional.of((double) calls.failed())),
          new OfCalls(
              "millrace_repeated_calls_total",
              Kind.COUNTER,
              "Calls begun because the previous attempt had failed.",
              calls -> Optional.of((double) calls.repeated())),
          new OfCalls(
              "millrace_cached_calls_total",
              Kind.COUNTER,
              "Records that needed no call because an equal call was answered or under way.",
              calls -> Optional.of((double) calls.cached())),
          new OfCalls(
              "millrace_call_breaks_total",
              Kind.COUNTER,
              "Times that all calls of the process were paused because calls of this task failed.",
              calls -> Optional.of((double) calls.breaks())),
          new OfCalls(
              "millrace_call_seconds_total",
              Kind.COUNTER,
              "Total time of calls, including those that failed.",
              calls -> Optional.of(calls.durationNanos() / NANOS)),
          new OfCalls(
              "millrace_call_p50_seconds",
              Kind.GAUGE,
              "Median time of a call since the start; absent before the first call has ended.",
              calls -> quantile(calls, 0.5)),
          new OfCalls(
              "millrace_call_p99_seconds",
              Kind.GAUGE,
              "99th percentile of the time of a call since the start; absent before the first call"
                  + " has ended.",
              calls -> quantile(calls, 0.99)));

  private CallFamilies() {}

  static List<MetricFamily> of(Map<Plan.TaskId, TaskMetrics> tasks) {
    List<MetricFamily> families = new ArrayList<>();
    for (OfCalls metric : CALLS) {
      List<Point> points = new ArrayList<>();
      tasks.forEach((id, task) ->
          task.callsByOperator()
              .forEach((operator, calls) ->
                  metric
                      .value()
                      .apply(calls)
                      .ifPresent(value -> points.add(new Point(labels(id, operator), value)))));
      families.add(new MetricFamily(metric.name(), metric.kind(), metric.help(), points));
    }
    return families;
  }

  private static Map<String, String> labels(Plan.TaskId id, String operator) {
    Map<String, String> labels = new LinkedHashMap<>(TaskFamilies.labels(id));
    labels.put("operator", operator);
    return labels;
  }

  private static Optional<Double> quantile(CallMetrics calls, double share) {
    long[] counts = new long[LatencyHistogram.buckets()];
    calls.time().addTo(counts);
    long micros = LatencyHistogram.quantile(counts, share);
    return micros < 0 ? Optional.empty() : Optional.of(micros / MICROS);
  }
}
