package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.peer.Peer.Restore;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.runtime.metrics.MetricNames;
import org.apache.flink.traces.Span;
import org.apache.flink.traces.reporter.TraceReporter;
import org.apache.flink.traces.reporter.TraceReporterFactory;
import org.jspecify.annotations.Nullable;

/// Takes from the span that Flink reports of a job's start how long the slowest subtask initialized
/// its state: the copying of files and the opening of RocksDB.
public final class RestoreSpans implements TraceReporter, TraceReporterFactory {
  private static volatile @Nullable Restore restore;

  @Override
  public TraceReporter createTraceReporter(Properties properties) {
    return this;
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  /// Null until the job has started.
  static @Nullable Restore restore() {
    return restore;
  }

  @Override
  public void notifyOfAddedSpan(Span span) {
    Map<String, Object> attributes = span.getAttributes();
    Object longest = attributes.get("max" + MetricNames.INITIALIZE_STATE_DURATION);
    if (longest instanceof Number millis) {
      restore = new Restore(Duration.ofMillis(millis.longValue()), -1);
    }
  }
}
