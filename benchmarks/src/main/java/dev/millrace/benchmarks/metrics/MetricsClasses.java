package dev.millrace.benchmarks.metrics;

import java.util.List;

/// The classes whose work is done for metrics alone: what counts and measures, and what tells it.
final class MetricsClasses {
  static final List<String> NAMES =
      List.of(
          "dev.millrace.internal.engine.metrics.CallMetrics",
          "dev.millrace.internal.engine.commit.GroupMetrics",
          "dev.millrace.internal.engine.metrics.CommitLatency",
          "dev.millrace.internal.engine.metrics.LateMetrics",
          "dev.millrace.internal.engine.metrics.SnapshotMetrics",
          "dev.millrace.internal.engine.metrics.TaskMetrics",
          "dev.millrace.internal.engine.metrics.WorkerMetrics",
          "dev.millrace.internal.engine.metrics.LatencyHistogram",
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
