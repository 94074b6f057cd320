package dev.millrace.internal.beam.portable.stage;

import java.util.List;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.jspecify.annotations.Nullable;

/// What a harness has counted for one task of a stage: as it comes, and as of the last commit.
/// Written by the task's thread; read by any.
final class StageMetrics {
  private final String step;
  private final MetricsContainerImpl attempted;
  private @Nullable MetricsContainerImpl frozen;
  private volatile @Nullable MetricsContainerImpl committed;

  StageMetrics(String step) {
    this.step = step;
    attempted = new MetricsContainerImpl(step);
  }

  /// Adds what was counted in a bundle.
  void add(List<MonitoringInfo> counted) {
    attempted.update(counted);
  }

  /// Notes what belongs to the commit that begins.
  void beforeCommit() {
    MetricsContainerImpl now = new MetricsContainerImpl(step);
    now.update(attempted);
    frozen = now;
  }

  /// Takes over that the commit has taken place.
  void afterCommit() {
    if (frozen != null) {
      committed = frozen;
    }
  }

  String step() {
    return step;
  }

  MetricsContainerImpl attempted() {
    return attempted;
  }

  @Nullable MetricsContainerImpl committed() {
    return committed;
  }
}
