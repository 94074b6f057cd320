package dev.millrace.benchmarks.beam;

import dev.millrace.benchmarks.beam.BeamRow.Run;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.report.Unmeasured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rows as a table, a plot and results for programs.
final class BeamReport {
  /// Queries whose results depend on when events come by the clock, or in which order.
  private static final Set<String> NOT_COMPARED = Set.of("q6", "q10", "q12");

  private BeamReport() {}

  /// Whether the answers of two runners should be the same and are not.
  static boolean differ(BeamRow row, BeamRow other) {
    return row.isMeasured()
        && other.isMeasured()
        && !NOT_COMPARED.contains(row.query())
        && !row.answers().equals(other.answers());
  }

  static Figure figure(BeamSetup setup, List<BeamRow> rows) {
    return new Figure(
            "beam",
            "Beam's Nexmark",
            facts(setup, rows),
            List.of(
                "query",
                "runner",
                "CPU s/million",
                "events/s",
                "results",
                "CPU of Flink by its own"),
            rows.stream().map(row -> cells(row, rows)).toList(),
            plot(rows))
        .withResults(rows.stream().map(row -> result(setup, row, rows)).toList());
  }

  private static Map<String, Object> facts(BeamSetup setup, List<BeamRow> rows) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("runs before, to get warm", setup.warm());
    facts.put("events of each run", setup.events());
    facts.put("heap MB", setup.heapMb());
    facts.put("source", "Nexmark's generator in the process, in two parts");
    facts.put(
        "state of millrace",
        "on disk, changelogs in a Kafka in a process of its own, exactly once");
    facts.put("state of flink", "RocksDB, incremental checkpoints every 10 s, exactly once");
    List<Double> times = rows.stream().flatMap(row -> times(row, rows).stream()).toList();
    if (!times.isEmpty()) {
      facts.put("median of CPU of Flink by its own", shown(new Sample(times).median()));
    }
    return facts;
  }

  private static String shown(double number) {
    return "%.2f".formatted(number);
  }

  private static List<Object> cells(BeamRow row, List<BeamRow> rows) {
    String why = row.why();
    if (why != null) {
      return List.of(row.query(), row.runner().id(), Unmeasured.failed(why), "", "", "");
    }
    return List.of(
        row.query(),
        row.runner().id(),
        shown(row.cpuSeconds()),
        Math.round(row.rate()),
        row.answers().split(" ", -1)[0],
        times(row, rows).map(BeamReport::shown).orElse(""));
  }

  /// How many times the processor time of a runner Flink's needs.
  private static Optional<Double> times(BeamRow row, List<BeamRow> rows) {
    return rows.stream()
        .filter(_ -> row.runner() != BeamRunner.FLINK && row.isMeasured())
        .filter(other -> other.runner() == BeamRunner.FLINK && other.isMeasured())
        .filter(other -> other.query().equals(row.query()))
        .findFirst()
        .map(flink -> flink.cpuSeconds() / row.cpuSeconds());
  }

  /// For programs; what was not measured is null.
  private static Map<String, @Nullable Object> result(
      BeamSetup setup, BeamRow row, List<BeamRow> rows) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    boolean measured = row.isMeasured();
    result.put("runner", row.runner().id());
    result.put("query", row.query());
    result.put("events", setup.events());
    result.put("cpuSecondsPerMillion", measured ? row.cpuSeconds() : null);
    result.put("rate", measured ? row.rate() : null);
    result.put("answers", row.answers());
    result.put("cpuOfFlinkByItsOwn", times(row, rows).orElse(null));
    result.put("cpuSecondsPerMillionOfRuns", row.runs().stream().map(Run::cpuSeconds).toList());
    result.put("rates", row.runs().stream().map(Run::rate).toList());
    result.put("why", row.why());
    return result;
  }

  private static Plot plot(List<BeamRow> rows) {
    List<String> queries = rows.stream().map(BeamRow::query).distinct().toList();
    List<Line> lines = new ArrayList<>();
    for (BeamRunner runner : rows.stream().map(BeamRow::runner).distinct().toList()) {
      List<Double> values = new ArrayList<>();
      for (String query : queries) {
        values.add(
            rows.stream()
                .filter(row -> row.runner() == runner && row.query().equals(query))
                .mapToDouble(BeamRow::cpuSeconds)
                .findFirst()
                .orElse(Double.NaN));
      }
      lines.add(new Line(runner.id(), values));
    }
    return new Plot("query", "CPU seconds a million events", queries, lines);
  }
}
