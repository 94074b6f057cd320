package dev.millrace.internal.beam.metrics;

import java.io.Closeable;
import org.apache.beam.runners.core.metrics.CounterCell;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.jspecify.annotations.Nullable;

/// What one operator of a task has counted for a transform: as it comes, and as of the last commit.
/// Written by the task's thread; read by any.
public final class StepMetrics {
  private final String step;
  private final MetricsContainerImpl attempted;
  private final BundleMetrics bundle;
  private @Nullable MetricsContainerImpl frozen;
  private volatile @Nullable MetricsContainerImpl committed;

  StepMetrics(String step) {
    this.step = step;
    attempted = new MetricsContainerImpl(step);
    bundle = new BundleMetrics(attempted);
  }

  /// Counts what the current thread does until the result is closed.
  public Closeable counting() {
    Closeable scope = MetricsEnvironment.scopedMetricsContainer(bundle);
    bundle.begin();
    return () -> {
      bundle.end();
      scope.close();
    };
  }

  /// Returns a counter of the transform.
  public CounterCell counter(Class<?> namespace, String name) {
    return attempted.getCounter(MetricName.named(namespace, name));
  }

  /// Notes what belongs to the commit that begins.
  public void beforeCommit() {
    MetricsContainerImpl now = new MetricsContainerImpl(step);
    now.update(attempted);
    frozen = now;
  }

  /// Takes over that the commit has taken place.
  public void afterCommit() {
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
