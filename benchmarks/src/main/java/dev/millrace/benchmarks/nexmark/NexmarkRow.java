package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.report.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one engine did with one query.
///
/// @param why it has no runs: it cannot answer it, or failed; null if it has
/// @param failed whether it should have had runs
record NexmarkRow(
    NexmarkEngine engine, String query, List<Run> runs, @Nullable String why, boolean failed) {

  NexmarkRow {
    runs = List.copyOf(runs);
  }

  /// One run.
  ///
  /// @param rate events a second
  /// @param cpuSeconds of the engine's process, a million events
  /// @param peakBytes most resident memory of the process
  /// @param results all that came, those that were taken back later among them
  record Run(
      double rate,
      double cpuSeconds,
      long peakBytes,
      long results,
      String version,
      String settings) {}

  static NexmarkRow of(NexmarkEngine engine, String query, List<Run> runs) {
    return new NexmarkRow(engine, query, runs, null, false);
  }

  static NexmarkRow cannot(NexmarkEngine engine, String query, String why) {
    return new NexmarkRow(engine, query, List.of(), why, false);
  }

  static NexmarkRow failed(NexmarkEngine engine, String query, String why) {
    return new NexmarkRow(engine, query, List.of(), why, true);
  }

  boolean isMeasured() {
    return !runs.isEmpty();
  }

  /// The median of its runs' events a second; not a number if it has none.
  double rate() {
    return isMeasured() ? Sample.of(runs, Run::rate).median() : Double.NaN;
  }

  /// The median of its runs' CPU seconds a million events; not a number if it has none.
  double cpuSeconds() {
    return isMeasured() ? Sample.of(runs, Run::cpuSeconds).median() : Double.NaN;
  }

  /// What is said of it in a message.
  String name() {
    return engine.id() + ", " + query;
  }

  /// What came of it, in a line.
  String text() {
    return why == null
        ? "%s: %,.0f events a second, %.2f CPU seconds a million"
            .formatted(name(), rate(), cpuSeconds())
        : name() + ": " + why;
  }
}
