package dev.millrace.internal.beam.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.sdk.metrics.BoundedTrie;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Gauge;
import org.apache.beam.sdk.metrics.Histogram;
import org.apache.beam.sdk.metrics.Metric;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.metrics.StringSet;
import org.apache.beam.sdk.util.HistogramData;
import org.jspecify.annotations.Nullable;

/// Counts for a transform in bundles of one thread: counters and distributions are plain numbers,
/// which are added to what all threads see when the bundle ends. What other threads count, and the
/// other kinds of metrics, are there at once.
@SuppressWarnings("serial") // nobody serializes it
final class BundleMetrics implements MetricsContainer {
  private final MetricsContainerImpl all;
  private final Cells<Added> counters;
  private final Cells<Spread> distributions;
  private final List<Cell> changed = new ArrayList<>();
  private @Nullable Thread owner;

  /// @param all what all threads see
  BundleMetrics(MetricsContainerImpl all) {
    this.all = all;
    counters = new Cells<>(name -> new Added(name, changed, all.getCounter(name)));
    distributions = new Cells<>(name -> new Spread(name, changed, all.getDistribution(name)));
  }

  /// A bundle of the current thread begins.
  void begin() {
    owner = Thread.currentThread();
  }

  /// The bundle ends.
  void end() {
    owner = null;
    for (int i = 0; i < changed.size(); i++) {
      changed.get(i).add();
    }
    changed.clear();
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isOwn() {
    return Thread.currentThread() == owner;
  }

  @Override
  public Counter getCounter(MetricName name) {
    return isOwn() ? counters.get(name) : all.getCounter(name);
  }

  @Override
  public Distribution getDistribution(MetricName name) {
    return isOwn() ? distributions.get(name) : all.getDistribution(name);
  }

  @Override
  public Gauge getGauge(MetricName name) {
    return all.getGauge(name);
  }

  @Override
  public StringSet getStringSet(MetricName name) {
    return all.getStringSet(name);
  }

  @Override
  public BoundedTrie getBoundedTrie(MetricName name) {
    return all.getBoundedTrie(name);
  }

  @Override
  public Histogram getHistogram(MetricName name, HistogramData.BucketType buckets) {
    return all.getHistogram(name, buckets);
  }

  /// The last cells of one kind by their names, which are the same objects from call to call and
  /// have hash codes that take long. A name may have several cells, as each adds to the same total.
  private static final class Cells<C extends Cell> {
    private static final int PLACES = 64;

    private final Function<MetricName, C> making;
    private final @Nullable Cell[] last = new @Nullable Cell[PLACES];

    Cells(Function<MetricName, C> making) {
      this.making = making;
    }

    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    C get(MetricName name) {
      int place = System.identityHashCode(name) & (PLACES - 1);
      Cell known = last[place];
      if (known != null && known.name == name) {
        return (C) known;
      }
      C made = making.apply(name);
      last[place] = made;
      return made;
    }
  }

  /// What one metric has had in a bundle.
  private abstract static class Cell implements Metric {
    private final MetricName name;
    private final List<Cell> allChanged;
    private boolean hasChanged;

    Cell(MetricName name, List<Cell> allChanged) {
      this.name = name;
      this.allChanged = allChanged;
    }

    @Override
    public MetricName getName() {
      return name;
    }

    final void change() {
      if (!hasChanged) {
        hasChanged = true;
        allChanged.add(this);
      }
    }

    /// Adds it to what all see.
    void add() {
      hasChanged = false;
    }
  }

  private static final class Added extends Cell implements Counter {
    private final Counter total;
    private long more;

    Added(MetricName name, List<Cell> changed, Counter total) {
      super(name, changed);
      this.total = total;
    }

    @Override
    public void inc() {
      inc(1);
    }

    @Override
    public void inc(long n) {
      change();
      more += n;
    }

    @Override
    public void dec() {
      inc(-1);
    }

    @Override
    public void dec(long n) {
      inc(-n);
    }

    @Override
    void add() {
      super.add();
      total.inc(more);
      more = 0;
    }
  }

  private static final class Spread extends Cell implements Distribution {
    private final Distribution total;
    private long sum;
    private long count;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;

    Spread(MetricName name, List<Cell> changed, Distribution total) {
      super(name, changed);
      this.total = total;
    }

    @Override
    public void update(long value) {
      update(value, 1, value, value);
    }

    @Override
    public void update(long sum, long count, long min, long max) {
      change();
      this.sum += sum;
      this.count += count;
      this.min = Math.min(this.min, min);
      this.max = Math.max(this.max, max);
    }

    @Override
    void add() {
      super.add();
      total.update(sum, count, min, max);
      sum = 0;
      count = 0;
      min = Long.MAX_VALUE;
      max = Long.MIN_VALUE;
    }
  }
}
