package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.StoreSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How large the values of stores are, by task and store.
final class StoreFamilies {
  private StoreFamilies() {}

  static List<MetricFamily> of(Map<Plan.TaskId, TaskMetrics> tasks) {
    List<Point> largest = new ArrayList<>();
    List<Point> most = new ArrayList<>();
    tasks.forEach((id, task) -> {
      for (StoreSizes store : task.sizes()) {
        Map<String, String> labels = new LinkedHashMap<>(TaskFamilies.labels(id));
        labels.put("store", store.store());
        largest.add(new Point(labels, store.largest()));
        most.add(new Point(labels, store.most()));
      }
    });
    return List.of(
        new MetricFamily(
            "millrace_largest_value_bytes",
            Kind.GAUGE,
            "Largest value of a store since its task was opened.",
            largest),
        new MetricFamily(
            "millrace_value_limit_bytes",
            Kind.GAUGE,
            "Largest value that a store accepts; a larger one is rejected.",
            most));
  }
}
