package dev.millrace;

import java.util.List;
import java.util.Map;

/// A metric with its values, one for each set of labels.
///
/// @param name as Prometheus names metrics: words separated by `_`, the unit at the end, `_total`
///   for counters
/// @param help one sentence
public record MetricFamily(String name, Kind kind, String help, List<Point> points) {

  public enum Kind {
    /// A value that only grows, until the process ends.
    COUNTER,
    GAUGE
  }

  /// A value.
  ///
  /// @param labels what the value belongs to, such as a task; empty for the whole job
  public record Point(Map<String, String> labels, double value) {}
}
