package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Unmeasured;
import dev.millrace.benchmarks.scenarios.Row.Cost;
import dev.millrace.benchmarks.scenarios.Row.Latency;
import dev.millrace.benchmarks.scenarios.Row.Run;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rows as a table, a plot and results for programs.
final class Report {
  private Report() {}

  static Figure figure(Setup setup, List<Row> rows) {
    Map<String, Object> facts = Machine.facts();
    Workload first = setup.workloads().getFirst();
    facts.put("runs", setup.runs());
    facts.put("records", first.records());
    facts.put("records of slow engines", setup.slowRecords());
    facts.put("record bytes", first.recordBytes());
    facts.put("distribution", first.distribution().id());
    facts.put("compression", first.compression());
    facts.put("partitions", ScenarioBenchmark.PARTITIONS);
    facts.put("threads", ScenarioBenchmark.THREADS);
    facts.put("heap MB", setup.heapMb());
    facts.put("cache MB", setup.cacheBytes() >> 20);
    facts.put("rehearsal s", setup.rehearsalSeconds());
    facts.put("page cache", setup.pageCache() ? "full" : "unchanged");
    facts.put("measured", "after the rehearsal, from 20 % of the records to the last");
    for (Row row : rows) {
      if (!row.runs().isEmpty()) {
        facts.put(
            "settings of %s in %s".formatted(row.engine().id(), row.scenario().id()),
            row.runs().getFirst().settings());
      }
    }
    rows.stream()
        .filter(row -> !row.costs().isEmpty())
        .forEach(row ->
            facts.put(
                "processor time of " + row.name(),
                row.costs().stream().map(Report::shown).collect(Collectors.joining(", "))));
    return new Figure(
            "scenarios",
            "Scenarios of the Samza benchmark of 2015",
            facts,
            List.of(
                "scenario",
                "keys",
                "engine",
                "records/s",
                "CPU s/million",
                "broker CPU s/million",
                "peak MB",
                "at records/s",
                "p50 ms",
                "p99 ms",
                "p99.9 ms"),
            rows.stream().flatMap(row -> cells(row).stream()).toList(),
            plot(rows))
        .withResults(rows.stream().map(Report::result).toList());
  }

  private static String shown(Cost cost) {
    return "%.0f %% %s".formatted(cost.share() * 100, cost.what());
  }

  private static List<List<Object>> cells(Row row) {
    List<List<Object>> all = new ArrayList<>();
    String why = row.why();
    if (why != null) {
      all.add(
          cells(
              row,
              row.failed() ? Unmeasured.failed(why) : Unmeasured.because(why),
              "",
              "",
              "",
              null));
      return all;
    }
    List<@Nullable Latency> latencies = new ArrayList<>(row.latencies());
    if (latencies.isEmpty()) {
      latencies.add(null);
    }
    for (Latency latency : latencies) {
      all.add(
          cells(
              row,
              Math.round(row.rate()),
              "%.2f".formatted(row.cpuSeconds()),
              "%.2f".formatted(row.brokerCpuSeconds()),
              row.peakBytes() >> 20,
              latency));
    }
    return all;
  }

  private static List<Object> cells(
      Row row, Object rate, Object cpu, Object broker, Object peak, @Nullable Latency latency) {
    return List.of(
        row.scenario().id(),
        row.workload().keys(),
        row.engine().id(),
        rate,
        cpu,
        broker,
        peak,
        latency == null ? "" : Math.round(latency.perSecond()),
        latency == null ? "" : "%.1f".formatted(latency.p50Millis()),
        latency == null ? "" : "%.1f".formatted(latency.p99Millis()),
        latency == null ? "" : "%.1f".formatted(latency.p999Millis()));
  }

  /// For programs; what was not measured is null.
  private static Map<String, @Nullable Object> result(Row row) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    boolean measured = !row.runs().isEmpty();
    Latency half = row.atHalf();
    Workload workload = row.workload();
    result.put("engine", row.engine().id());
    result.put("scenario", row.scenario().id());
    result.put("keys", workload.keys());
    result.put("distribution", workload.distribution().id());
    result.put("recordBytes", workload.recordBytes());
    result.put("compression", workload.compression());
    result.put("records", workload.records());
    result.put("rate", measured ? row.rate() : null);
    result.put("cpuSecondsPerMillion", measured ? row.cpuSeconds() : null);
    result.put("brokerCpuSecondsPerMillion", measured ? row.brokerCpuSeconds() : null);
    result.put("peakRssMb", measured ? row.peakBytes() >> 20 : null);
    result.put("p50Ms", half == null ? null : half.p50Millis());
    result.put("p99Ms", half == null ? null : half.p99Millis());
    result.put("p999Ms", half == null ? null : half.p999Millis());
    result.put("latencies", row.latencies().stream().map(Report::latency).toList());
    result.put("rates", row.runs().stream().map(Run::rate).toList());
    result.put("cpuSecondsPerMillionOfRuns", row.runs().stream().map(Run::cpuSeconds).toList());
    result.put(
        "brokerCpuSecondsPerMillionOfRuns",
        row.runs().stream().map(Run::brokerCpuSeconds).toList());
    result.put("costs", row.costs().stream().map(Report::cost).toList());
    result.put("versions", measured ? row.runs().getFirst().version() : null);
    result.put("settings", measured ? row.runs().getFirst().settings() : null);
    result.put("why", row.why());
    result.put("failed", row.failed());
    return result;
  }

  private static Map<String, Object> latency(Latency latency) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rate", latency.perSecond());
    all.put("halfOfItsMaximum", latency.ofMaximum());
    all.put("p50Ms", latency.p50Millis());
    all.put("p99Ms", latency.p99Millis());
    all.put("p999Ms", latency.p999Millis());
    all.put("maxMs", latency.mostMillis());
    return all;
  }

  private static Map<String, Object> cost(Cost cost) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("what", cost.what());
    all.put("share", cost.share());
    all.put("cpuSecondsPerMillion", cost.cpuSeconds());
    return all;
  }

  private static Plot plot(List<Row> rows) {
    Function<Row, String> where =
        row ->
            row.scenario() == Scenario.PASS
                ? row.scenario().id()
                : row.scenario().id() + " " + shown(row.workload().keys());
    List<String> xs = rows.stream().map(where).distinct().toList();
    List<Line> lines = new ArrayList<>();
    for (Contender engine : rows.stream().map(Row::engine).distinct().toList()) {
      lines.add(
          new Line(
              engine.id(),
              xs.stream()
                  .map(x ->
                      rows.stream()
                          .filter(row -> row.engine() == engine && where.apply(row).equals(x))
                          .filter(row -> !row.runs().isEmpty())
                          .map(row -> row.rate() / 1e6)
                          .findFirst()
                          .orElse(Double.NaN))
                  .toList()));
    }
    return new Plot("scenario and keys", "million records a second", xs, lines);
  }

  /// 10000 as 10^4.
  private static String shown(long keys) {
    int power = (int) Math.round(Math.log10((double) keys));
    return Math.pow(10, power) == keys ? "10^" + power : Long.toString(keys);
  }
}
