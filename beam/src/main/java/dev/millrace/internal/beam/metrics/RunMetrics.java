package dev.millrace.internal.beam.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricResults;

/// The metrics of a pipeline that runs in this process. Thread-safe.
public final class RunMetrics {
  private final List<StepMetrics> all = new CopyOnWriteArrayList<>();

  /// Begins to count for a transform, in one task.
  ///
  /// @param step the full name of the transform
  public StepMetrics of(String step) {
    StepMetrics made = new StepMetrics(step);
    all.add(made);
    return made;
  }

  /// Returns what was counted so far, in all attempts and in those that were committed.
  public MetricResults results() {
    MetricsContainerStepMap attempted = new MetricsContainerStepMap();
    MetricsContainerStepMap committed = new MetricsContainerStepMap();
    for (StepMetrics each : all) {
      attempted.update(each.step(), each.attempted());
      MetricsContainerImpl known = each.committed();
      if (known != null) {
        committed.update(each.step(), known);
      }
    }
    return MetricsContainerStepMap.asMetricResults(attempted, committed);
  }
}
