package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.chain.Measured;
import dev.millrace.internal.engine.chain.Probe;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.metrics.Activity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/// Metrics that show which part of an application is slow: the time of each operator and its rows
/// in and out, over all tasks of its stage in this container; and the activities of each worker.
final class OperatorFamilies {
  private static final double NANOS = 1e9;
  private static final String OPERATORS = "operators";

  private final BusyTime busy;
  private final List<Probe> probes;
  private final List<Map<String, String>> labels = new ArrayList<>();

  OperatorFamilies(Engine engine, BusyTime busy) {
    this.busy = busy;
    probes = engine.workers().stream().map(Worker::probe).toList();
    for (Measured operator : engine.operators()) {
      Map<String, String> ofOperator = new LinkedHashMap<>();
      ofOperator.put("stage", Integer.toString(operator.stage()));
      ofOperator.put("operator", operator.name());
      String function = operator.function();
      if (!function.isEmpty()) {
        ofOperator.put("function", function);
      }
      labels.add(ofOperator);
    }
  }

  List<MetricFamily> families() {
    return List.of(
        ofOperators(
            "millrace_operator_busy_seconds_total",
            "Worker time that an operator took, with its functions, serdes and stores; sampled.",
            operator -> busy.nanosOf(operator) / NANOS),
        ofOperators(
            "millrace_operator_rows_in_total",
            "Rows that an operator processed; rows processed again count again.",
            operator -> probes.stream().mapToLong(probe -> probe.rowsIn(operator)).sum()),
        ofOperators(
            "millrace_operator_rows_out_total",
            "Rows that an operator emitted to each of the operators after it.",
            operator -> probes.stream().mapToLong(probe -> probe.rowsOut(operator)).sum()),
        ofWorkers());
  }

  private MetricFamily ofOperators(String name, String help, IntToDoubleFunction value) {
    List<Point> points = new ArrayList<>();
    for (int operator = 0; operator < labels.size(); operator++) {
      points.add(new Point(labels.get(operator), value.applyAsDouble(operator)));
    }
    return new MetricFamily(name, Kind.COUNTER, help, points);
  }

  private MetricFamily ofWorkers() {
    List<Point> points = new ArrayList<>();
    for (int worker = 0; worker < busy.workers(); worker++) {
      points.add(point(worker, OPERATORS, busy.nanosInOperators(worker)));
      for (Activity activity : Activity.values()) {
        points.add(point(worker, activity.label(), busy.nanosOf(worker, activity)));
      }
    }
    return new MetricFamily(
        "millrace_worker_seconds_total",
        Kind.COUNTER,
        "Time of a worker by activity; the sum is the time since the start. Sampled.",
        points);
  }

  private static Point point(int worker, String activity, long nanos) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("worker", Integer.toString(worker));
    labels.put("activity", activity);
    return new Point(labels, nanos / NANOS);
  }
}
