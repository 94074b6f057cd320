package dev.millrace;

import java.util.List;
import java.util.Map;

/// One thing that is measured, for everything it is measured of.
///
/// @param name as Prometheus names things: words with `_`, the unit at the end, `_total` for
///   counters
/// @param help one sentence
public record MetricFamily(String name, Kind kind, String help, List<Point> points) {

  public enum Kind {
    /// Only grows, until the process ends.
    COUNTER,
    GAUGE
  }

  /// A value.
  ///
  /// @param labels say of what, such as a task; empty for the whole job
  public record Point(Map<String, String> labels, double value) {}
}
