package dev.millrace.internal.beam.portable.stage;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/// What the harnesses have counted for a pipeline. Thread-safe.
public final class PipelineMetrics {
  private final List<StageMetrics> all = new CopyOnWriteArrayList<>();

  /// Begins to count for a stage, in one task.
  StageMetrics of(String step) {
    StageMetrics made = new StageMetrics(step);
    all.add(made);
    return made;
  }

  /// Returns what was counted so far, in all attempts.
  public List<MonitoringInfo> attempted() {
    MetricsContainerStepMap sum = new MetricsContainerStepMap();
    all.forEach(each -> sum.update(each.step(), each.attempted()));
    return infos(sum);
  }

  /// Returns what was counted as of the last commits.
  public List<MonitoringInfo> committed() {
    MetricsContainerStepMap sum = new MetricsContainerStepMap();
    for (StageMetrics each : all) {
      MetricsContainerImpl known = each.committed();
      if (known != null) {
        sum.update(each.step(), known);
      }
    }
    return infos(sum);
  }

  private static List<MonitoringInfo> infos(MetricsContainerStepMap sum) {
    return StreamSupport.stream(sum.getMonitoringInfos().spliterator(), false).toList();
  }
}
