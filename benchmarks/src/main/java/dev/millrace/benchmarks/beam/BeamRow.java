package dev.millrace.benchmarks.beam;

import dev.millrace.benchmarks.report.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one runner did with one query.
///
/// @param answers the number of the results and the sum of their hashes; empty if it failed
/// @param why it failed; null if it has not
record BeamRow(
    BeamRunner runner, String query, List<Run> runs, String answers, @Nullable String why) {
  BeamRow {
    runs = List.copyOf(runs);
  }

  /// One run.
  ///
  /// @param seconds from the start of the pipeline to its end
  /// @param cpuSeconds of the runner's process, a million events
  /// @param rate events a second
  record Run(double seconds, double cpuSeconds, double rate) {
    /// Reads what a process has told of one.
    static Run of(String told, long events) {
      String[] parts = told.split(" ", -1);
      double seconds = Double.parseDouble(parts[0]);
      return new Run(seconds, Double.parseDouble(parts[1]) / events * MILLION, events / seconds);
    }
  }

  private static final double MILLION = 1e6;

  static BeamRow failed(BeamRunner runner, String query, String why) {
    return new BeamRow(runner, query, List.of(), "", why);
  }

  boolean isMeasured() {
    return !runs.isEmpty();
  }

  /// The median of its runs' CPU seconds a million events; not a number if it has none.
  double cpuSeconds() {
    return isMeasured() ? Sample.of(runs, Run::cpuSeconds).median() : Double.NaN;
  }

  /// The median of its runs' events a second; not a number if it has none.
  double rate() {
    return isMeasured() ? Sample.of(runs, Run::rate).median() : Double.NaN;
  }

  /// What came of it, in a line.
  String text() {
    return why == null
        ? "%s, %s: %.2f CPU seconds a million (%.2f to %.2f), %,.0f events a second"
            .formatted(
                runner.id(),
                query,
                cpuSeconds(),
                Sample.of(runs, Run::cpuSeconds).least(),
                Sample.of(runs, Run::cpuSeconds).most(),
                rate())
        : "%s, %s: %s".formatted(runner.id(), query, why);
  }
}
