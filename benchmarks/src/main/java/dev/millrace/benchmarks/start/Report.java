package dev.millrace.benchmarks.start;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.process.LauncherOptions;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.start.StartBenchmark.Case;
import dev.millrace.benchmarks.start.StartBenchmark.Found;
import dev.millrace.benchmarks.start.StartBenchmark.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Starts as a table, a plot and results for programs.
final class Report {
  private static final String SETTINGS =
      "exactly-once, all but data plane and workers by default, state on disk";

  private Report() {}

  static Figure figure(Map<Case, List<Run>> measured, int runs, LauncherOptions launcher) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", runs);
    facts.put("partitions", StartBenchmark.PARTITIONS);
    facts.put("workers", StartBenchmark.WORKERS);
    facts.put("records before each start", StartBenchmark.RECORDS);
    facts.put(
        "options of the launcher",
        launcher.exist() ? "own -XX:AOTCache" + launcher.beside() : "none; ./millrace sets them");
    facts.put("settings", "exactly-once, all but data plane and workers by default, state on disk");
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    measured.forEach((each, all) -> {
      rows.add(row(each, all));
      results.add(result(each, all));
    });
    return new Figure(
            "start",
            "From the start of a process to its first record",
            facts,
            List.of(
                "application",
                "data plane",
                "as the launcher",
                "main ms",
                "first record ms",
                "from to",
                "first output ms",
                "from to, output",
                "CPU s"),
            rows,
            plot(measured))
        .withResults(results);
  }

  private static List<Object> row(Case each, List<Run> runs) {
    Sample first = Sample.of(runs, Run::firstMillis);
    Sample output = Sample.of(runs, Run::outputMillis);
    return List.of(
        each.found().words(),
        each.planeName(),
        each.fast() ? "yes" : "no",
        Math.round(Sample.of(runs, Run::mainMillis).median()),
        Math.round(first.median()),
        spread(first),
        Math.round(output.median()),
        spread(output),
        "%.2f".formatted(Sample.of(runs, Run::cpuSeconds).median()));
  }

  private static String spread(Sample sample) {
    return "%.0f to %.0f".formatted(sample.least(), sample.most());
  }

  private static Map<String, @Nullable Object> result(Case each, List<Run> runs) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", each.planeName().equals("direct") ? "millrace" : "millrace-official");
    result.put("scenario", "start, " + each.found().words());
    result.put("keys", StartBenchmark.KEYS);
    result.put("rate", null);
    result.put("cpuSecondsPerMillion", null);
    result.put("peakRssMb", null);
    result.put("p50Ms", null);
    result.put("p99Ms", null);
    result.put("asTheLauncher", each.fast());
    result.put("mainMs", Sample.of(runs, Run::mainMillis).median());
    result.put("firstRecordMs", Sample.of(runs, Run::firstMillis).median());
    result.put("firstRecordMsOfRuns", runs.stream().map(Run::firstMillis).toList());
    result.put("firstOutputMs", Sample.of(runs, Run::outputMillis).median());
    result.put("firstOutputMsOfRuns", runs.stream().map(Run::outputMillis).toList());
    result.put("cpuSeconds", Sample.of(runs, Run::cpuSeconds).median());
    result.put("versions", BuildVersion.text());
    result.put("settings", SETTINGS);
    return result;
  }

  private static Plot plot(Map<Case, List<Run>> measured) {
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    measured.forEach((each, runs) ->
        lines
            .computeIfAbsent(
                each.planeName() + (each.fast() ? ", as the launcher" : ""), _ -> new ArrayList<>())
            .add(Sample.of(runs, Run::firstMillis).median() / 1e3));
    return new Plot(
        "the application",
        "seconds to the first record",
        Arrays.stream(Found.values()).map(Found::words).toList(),
        lines.entrySet().stream().map(line -> new Line(line.getKey(), line.getValue())).toList());
  }
}
