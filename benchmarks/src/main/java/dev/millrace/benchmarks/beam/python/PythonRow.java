package dev.millrace.benchmarks.beam.python;

import dev.millrace.benchmarks.report.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What came of the words on one server.
///
/// @param programSeconds of whole programs that count a line, once the server is warm
/// @param runs of the whole text
/// @param why it failed; null if it has not
record PythonRow(
    JobServer server, List<Double> programSeconds, List<Run> runs, @Nullable String why) {
  PythonRow {
    programSeconds = List.copyOf(programSeconds);
    runs = List.copyOf(runs);
  }

  private static final double MILLION = 1e6;

  /// One run.
  ///
  /// @param seconds from when the program makes the pipeline to its end
  /// @param serverCpu processor seconds of the server, a million words
  /// @param programCpu those of the program, in which the functions run
  /// @param rate words a second
  record Run(double seconds, double serverCpu, double programCpu, double rate) {
    static Run of(double seconds, double serverCpu, double programCpu, long words) {
      double millions = words / MILLION;
      return new Run(seconds, serverCpu / millions, programCpu / millions, words / seconds);
    }
  }

  static PythonRow failed(JobServer server, String why) {
    return new PythonRow(server, List.of(), List.of(), why);
  }

  boolean isMeasured() {
    return why == null;
  }

  Sample rates() {
    return Sample.of(runs, Run::rate);
  }

  Sample serverCpu() {
    return Sample.of(runs, Run::serverCpu);
  }

  Sample programCpu() {
    return Sample.of(runs, Run::programCpu);
  }

  /// What came of it, in a line.
  String text() {
    return why == null
        ? "%s: %,.0f words a second, a program with a line %.1f s"
            .formatted(server.id(), rates().median(), new Sample(programSeconds).median())
        : "%s: %s".formatted(server.id(), why);
  }
}
