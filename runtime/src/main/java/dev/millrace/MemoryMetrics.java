package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.state.StateMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/// How much of each share of the memory budget is in use. Thread-safe.
final class MemoryMetrics {
  private final Engine engine;
  private final MemoryBudget budget;
  private final LongSupplier blocks;

  /// @param blocks says what the disks hold outside the heap
  MemoryMetrics(Engine engine, MemoryBudget budget, LongSupplier blocks) {
    this.engine = engine;
    this.budget = budget;
    this.blocks = blocks;
  }

  /// Points have the label `share`; what the budget, the limit and the process have, has none.
  List<MetricFamily> families() {
    MemoryShares shares = budget.shares();
    Map<String, Long> limits = new LinkedHashMap<>();
    limits.put("objects", shares.objects());
    limits.put("live", shares.live());
    limits.put("committing", shares.committing());
    limits.put("committed", shares.committed());
    limits.put("fetched", shares.waiting());
    limits.put("outbox", shares.outbox());
    limits.put("blocks", shares.blocks());
    limits.put("network", shares.network());
    List<MetricFamily> families = new ArrayList<>();
    families.add(
        new MetricFamily(
            "millrace_memory_bytes",
            Kind.GAUGE,
            "Memory in use of a share of the memory budget.",
            points(used())));
    families.add(
        new MetricFamily(
            "millrace_memory_share_bytes",
            Kind.GAUGE,
            "Size of a share of the memory budget.",
            points(limits)));
    families.add(
        single(
            "millrace_memory_budget_bytes",
            "Memory budget: memory for everything that grows with the load.",
            budget.bytes()));
    families.add(
        single(
            "millrace_memory_limit_bytes",
            "Memory limit of the process.",
            budget.process().limit()));
    families.add(
        single(
            "millrace_memory_resident_bytes",
            "Resident memory of the process; absent where the system does not report it.",
            ProcessMemory.resident()));
    return families;
  }

  private Map<String, Long> used() {
    Map<String, Long> used = new LinkedHashMap<>();
    used.put("objects", ofTasks(StateMemory::objects));
    used.put("live", ofTasks(StateMemory::live));
    used.put("committing", ofTasks(StateMemory::pending));
    used.put("committed", ofTasks(StateMemory::committed));
    used.put("fetched", ofWorkers(WorkerMetrics::fetchedBytes));
    used.put("outbox", ofWorkers(WorkerMetrics::outboxBytes));
    used.put("blocks", blocks.getAsLong());
    used.put("network", ProcessMemory.direct());
    return used;
  }

  private long ofTasks(ToLongFunction<StateMemory> part) {
    return engine.taskMetrics().values().stream().map(TaskMetrics::memory).mapToLong(part).sum();
  }

  private long ofWorkers(ToLongFunction<WorkerMetrics> part) {
    return engine.workerMetrics().stream().mapToLong(part).sum();
  }

  private static List<Point> points(Map<String, Long> values) {
    List<Point> points = new ArrayList<>();
    values.forEach((share, bytes) -> points.add(new Point(Map.of("share", share), bytes)));
    return points;
  }

  private static MetricFamily single(String name, String help, long bytes) {
    return new MetricFamily(
        name, Kind.GAUGE, help, bytes < 0 ? List.of() : List.of(new Point(Map.of(), bytes)));
  }
}
