package dev.millrace.benchmarks.metrics;

import java.util.List;

/// The classes whose work is done for metrics alone: what counts and measures, and what tells it.
final class MetricsClasses {
  static final List<String> NAMES =
      List.of(
          "dev.millrace.engine.calls.CallMetrics",
          "dev.millrace.engine.commit.GroupMetrics",
          "dev.millrace.engine.loop.CommitLatency",
          "dev.millrace.engine.loop.LateMetrics",
          "dev.millrace.engine.loop.SnapshotMetrics",
          "dev.millrace.engine.loop.TaskMetrics",
          "dev.millrace.engine.loop.WorkerMetrics",
          "dev.millrace.engine.metrics.LatencyHistogram",
          "dev.millrace.CallFamilies",
          "dev.millrace.JobBeans",
          "dev.millrace.JobMetrics",
          "dev.millrace.LateFamilies",
          "dev.millrace.MemoryMetrics",
          "dev.millrace.MetricFamily",
          "dev.millrace.MetricsBean",
          "dev.millrace.ProcessMemory",
          "dev.millrace.PrometheusText",
          "dev.millrace.StatusServer",
          "dev.millrace.TaskFamilies");

  private static final String HTTP_SERVER = "sun.net.httpserver.";

  private MetricsClasses() {}

  /// Whether a class, or the one around it, is one of them.
  static boolean contain(String type) {
    int inner = type.indexOf('$');
    return NAMES.contains(inner < 0 ? type : type.substring(0, inner))
        || type.startsWith(HTTP_SERVER);
  }
}
