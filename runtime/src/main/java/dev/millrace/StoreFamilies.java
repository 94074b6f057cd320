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
import java.util.SortedMap;

/// How large stores and their values are, by task and store.
final class StoreFamilies {
  private StoreFamilies() {}

  /// @param names of the stores, by number
  static List<MetricFamily> of(
      Map<Plan.TaskId, TaskMetrics> tasks, SortedMap<Integer, String> names) {
    List<Point> largest = new ArrayList<>();
    List<Point> most = new ArrayList<>();
    List<Point> bytes = new ArrayList<>();
    tasks.forEach((id, task) -> {
      for (StoreSizes store : task.sizes()) {
        Map<String, String> labels = labels(id, store.store());
        largest.add(new Point(labels, store.largest()));
        most.add(new Point(labels, store.most()));
      }
      SortedMap<Integer, Long> measured = task.storeBytes();
      if (measured != null) {
        measured.forEach((number, each) -> {
          String name = names.getOrDefault(number, Integer.toString(number));
          bytes.add(new Point(labels(id, name), each));
        });
      }
    });
    return List.of(
        new MetricFamily(
            "millrace_store_bytes",
            Kind.GAUGE,
            "Approximate bytes of a store, on disk and in memory until it is there.",
            bytes),
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

  static Map<String, String> labels(Plan.TaskId task, String store) {
    Map<String, String> labels = new LinkedHashMap<>(TaskFamilies.labels(task));
    labels.put("store", store);
    return labels;
  }
}
