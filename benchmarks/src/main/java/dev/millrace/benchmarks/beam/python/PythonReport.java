package dev.millrace.benchmarks.beam.python;

import dev.millrace.benchmarks.beam.python.PythonRow.Run;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.report.Unmeasured;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows as a table, a plot and results for programs.
final class PythonReport {
  private PythonReport() {}

  static Figure figure(PythonSetup setup, List<PythonRow> rows) {
    return new Figure(
            "beam-python",
            "Words counted by Beam's Python SDK",
            facts(setup),
            List.of(
                "job server",
                "SDK",
                "words/s",
                "server CPU s/million",
                "program CPU s/million",
                "program with a line, s"),
            rows.stream().map(PythonReport::cells).toList(),
            new Plot(
                "job server",
                "words a second",
                rows.stream().map(row -> row.server().id()).toList(),
                List.of(
                    new Line("words a second", rows.stream().map(PythonReport::rate).toList()))))
        .withResults(rows.stream().map(PythonReport::result).toList());
  }

  private static double rate(PythonRow row) {
    return row.isMeasured() ? row.rates().median() : Double.NaN;
  }

  private static Map<String, Object> facts(PythonSetup setup) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("runs before, to get warm", setup.warm());
    facts.put("words", setup.words());
    facts.put("heap MB", setup.heapMb());
    facts.put("where functions run", "in the program's process (LOOPBACK)");
    facts.put("where pipelines run", "in the memory of the server: a bounded job, two tasks");
    return facts;
  }

  private static String shown(Sample sample) {
    return "%.2f (%.2f to %.2f)".formatted(sample.median(), sample.least(), sample.most());
  }

  private static List<Object> cells(PythonRow row) {
    String why = row.why();
    if (why != null) {
      return List.of(row.server().id(), row.server().sdk(), Unmeasured.failed(why), "", "", "");
    }
    return List.of(
        row.server().id(),
        row.server().sdk(),
        Math.round(row.rates().median()),
        shown(row.serverCpu()),
        shown(row.programCpu()),
        shown(new Sample(row.programSeconds())));
  }

  /// For programs; what was not measured is null.
  private static Map<String, @Nullable Object> result(PythonRow row) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("server", row.server().id());
    result.put("sdk", row.server().sdk());
    result.put("rates", row.runs().stream().map(Run::rate).toList());
    result.put(
        "serverCpuSecondsPerMillionOfRuns", row.runs().stream().map(Run::serverCpu).toList());
    result.put(
        "programCpuSecondsPerMillionOfRuns", row.runs().stream().map(Run::programCpu).toList());
    result.put("programSeconds", row.programSeconds());
    result.put("why", row.why());
    return result;
  }
}
