package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.NexmarkRow.Run;
import dev.millrace.benchmarks.nexmark.NexmarkSetup.From;
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
import org.jspecify.annotations.Nullable;

/// Rows as a table, a plot and results for programs.
final class NexmarkReport {
  private NexmarkReport() {}

  static Figure figure(NexmarkSetup setup, List<NexmarkRow> rows) {
    return new Figure(
            "nexmark",
            "Nexmark",
            facts(setup, rows),
            List.of(
                "query",
                "engine",
                "events/s",
                "CPU s/million",
                "peak MB",
                "results",
                "times the rate of Flink",
                "CPU of Flink by its own"),
            rows.stream().map(row -> cells(row, rows)).toList(),
            plot(rows))
        .withResults(rows.stream().map(row -> result(setup, row, rows)).toList());
  }

  private static Map<String, Object> facts(NexmarkSetup setup, List<NexmarkRow> rows) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("events", setup.events().events());
    facts.put("events of queries that keep bids", setup.slowEvents());
    facts.put("events a second of event time", setup.events().eventsPerSecond());
    facts.put("seed", setup.events().seed());
    facts.put(
        "source",
        setup.from() == From.KAFKA
            ? "a topic; state on disk; results to a topic, exactly once"
            : "generated in the process; state in memory; results added up");
    facts.put("splits", NexmarkBenchmark.SPLITS);
    facts.put("threads", NexmarkBenchmark.THREADS);
    facts.put("heap MB", setup.heapMb());
    facts.put("cache MB", setup.cacheBytes() >> 20);
    facts.put("rehearsal seconds", setup.rehearsalSeconds());
    facts.put("measured", "after the rehearsal, from 20 % of the events to the end of the job");
    for (NexmarkEngine engine : setup.engines()) {
      rows.stream()
          .filter(row -> row.engine() == engine && row.isMeasured())
          .findFirst()
          .ifPresent(row -> {
            facts.put("version of " + engine.id(), row.runs().getFirst().version());
            facts.put("settings of " + engine.id(), row.runs().getFirst().settings());
          });
    }
    median(rows).ifPresent(median -> facts.put("median of times the rate of Flink", shown(median)));
    return facts;
  }

  private static String shown(double times) {
    return "%.2f".formatted(times);
  }

  private static List<Object> cells(NexmarkRow row, List<NexmarkRow> rows) {
    String why = row.why();
    if (why != null) {
      return List.of(
          row.query(),
          row.engine().id(),
          row.failed() ? Unmeasured.failed(why) : Unmeasured.because(why),
          "",
          "",
          "",
          "",
          "");
    }
    return List.of(
        row.query(),
        row.engine().id(),
        Math.round(row.rate()),
        "%.2f".formatted(row.cpuSeconds()),
        row.runs().stream().mapToLong(Run::peakBytes).max().orElse(0) >> 20,
        row.runs().getFirst().results(),
        timesTheRate(row, rows).map(NexmarkReport::shown).orElse(""),
        timesTheCpu(row, rows).map(NexmarkReport::shown).orElse(""));
  }

  /// Flink's row of the same query, of another engine's.
  private static Optional<NexmarkRow> beside(NexmarkRow row, List<NexmarkRow> rows) {
    return rows.stream()
        .filter(_ -> row.engine() != NexmarkEngine.FLINK && row.isMeasured())
        .filter(other -> other.engine() == NexmarkEngine.FLINK && other.isMeasured())
        .filter(other -> other.query().equals(row.query()))
        .findFirst();
  }

  private static Optional<Double> timesTheRate(NexmarkRow row, List<NexmarkRow> rows) {
    return beside(row, rows).map(flink -> row.rate() / flink.rate());
  }

  private static Optional<Double> timesTheCpu(NexmarkRow row, List<NexmarkRow> rows) {
    return beside(row, rows).map(flink -> flink.cpuSeconds() / row.cpuSeconds());
  }

  private static Optional<Double> median(List<NexmarkRow> rows) {
    List<Double> times = rows.stream().flatMap(row -> timesTheRate(row, rows).stream()).toList();
    return times.isEmpty() ? Optional.empty() : Optional.of(new Sample(times).median());
  }

  /// For programs; what was not measured is null.
  private static Map<String, @Nullable Object> result(
      NexmarkSetup setup, NexmarkRow row, List<NexmarkRow> rows) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    boolean measured = row.isMeasured();
    result.put("engine", row.engine().id());
    result.put("query", row.query());
    result.put("source", setup.from().id());
    result.put("events", setup.events(row.query()).events());
    result.put("rate", measured ? row.rate() : null);
    result.put("cpuSecondsPerMillion", measured ? row.cpuSeconds() : null);
    result.put(
        "peakRssMb",
        measured ? row.runs().stream().mapToLong(Run::peakBytes).max().orElse(0) >> 20 : null);
    result.put("results", measured ? row.runs().getFirst().results() : null);
    result.put("timesTheRateOfFlink", timesTheRate(row, rows).orElse(null));
    result.put("cpuOfFlinkByItsOwn", timesTheCpu(row, rows).orElse(null));
    result.put("rates", row.runs().stream().map(Run::rate).toList());
    result.put("cpuSecondsPerMillionOfRuns", row.runs().stream().map(Run::cpuSeconds).toList());
    result.put("version", measured ? row.runs().getFirst().version() : null);
    result.put("settings", measured ? row.runs().getFirst().settings() : null);
    result.put("why", row.why());
    result.put("failed", row.failed());
    return result;
  }

  private static Plot plot(List<NexmarkRow> rows) {
    List<String> queries = rows.stream().map(NexmarkRow::query).distinct().toList();
    List<Line> lines = new ArrayList<>();
    for (NexmarkEngine engine : rows.stream().map(NexmarkRow::engine).distinct().toList()) {
      lines.add(
          new Line(
              engine.id(),
              queries.stream()
                  .map(query ->
                      rows.stream()
                          .filter(row -> row.engine() == engine && row.query().equals(query))
                          .map(row -> row.rate() / 1e6)
                          .findFirst()
                          .orElse(Double.NaN))
                  .toList()));
    }
    return new Plot("query", "million events a second", queries, lines);
  }
}
