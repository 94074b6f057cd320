package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.StoreMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How many values were migrated in the background, by task and store, and whether that is over.
final class MigrationFamilies {
  private MigrationFamilies() {}

  static List<MetricFamily> of(Map<Plan.TaskId, TaskMetrics> tasks) {
    List<Point> migrated = new ArrayList<>();
    List<Point> failed = new ArrayList<>();
    tasks.forEach((id, task) -> {
      for (StoreMigration store : task.migrations()) {
        Map<String, String> labels = StoreFamilies.labels(id, store.store());
        migrated.add(new Point(labels, store.migrated()));
        failed.add(new Point(labels, store.failed()));
      }
    });
    boolean over = tasks.values().stream().allMatch(TaskMetrics::isMigrated);
    return List.of(
        new MetricFamily(
            "millrace_migrated_values_total",
            Kind.COUNTER,
            "Values of a store that were migrated in the background from an earlier version.",
            migrated),
        new MetricFamily(
            "millrace_unmigrated_values_total",
            Kind.COUNTER,
            "Values of a store that could not be migrated and were left as they were.",
            failed),
        new MetricFamily(
            "millrace_migration_running",
            Kind.GAUGE,
            "Whether stores of this container may have values that earlier versions wrote (1) or"
                + " not (0).",
            List.of(new Point(Map.of(), over ? 0 : 1))));
  }
}
