package dev.millrace.benchmarks.tasks;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.tasks.TasksBenchmark.Run;
import dev.millrace.benchmarks.tasks.TasksBenchmark.Setup;
import dev.millrace.kafka.DataPlane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs as a table, a plot and results for programs.
final class Report {
  private static final String SETTINGS =
      "exactly-once, state on disk, changelog, commit.interval=1s";

  private Report() {}

  static Figure figure(Setup setup, Map<Integer, List<Run>> runs) {
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", setup.rounds());
    facts.put("records", setup.records());
    facts.put("keys", setup.keys());
    facts.put("workers", TasksBenchmark.WORKERS);
    facts.put("data plane", setup.plane().name().toLowerCase(Locale.ROOT));
    facts.put("measured", "from 20 % of the records, when every task is at work, to the last");
    facts.put("settings", SETTINGS);
    List<Run> base = Objects.requireNonNull(runs.get(setup.tasks().getFirst()));
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    runs.forEach((tasks, all) -> {
      rows.add(row(tasks, all, base));
      results.add(result(setup, tasks, all, base));
    });
    List<Double> rates =
        runs.values().stream().map(all -> Sample.of(all, Run::perSecond).median() / 1e6).toList();
    return new Figure(
            "tasks",
            "Cost of many tasks",
            facts,
            List.of(
                "tasks",
                "records/s",
                "CPU s/million",
                "times the time",
                "from to",
                "times the CPU",
                "from to, CPU",
                "start ms",
                "stop ms"),
            rows,
            new Plot(
                "tasks",
                "million records a second",
                setup.tasks().stream().map(String::valueOf).toList(),
                List.of(new Line("two workers", rates))))
        .withResults(results);
  }

  private static Sample time(List<Run> base, List<Run> runs) {
    return Sample.ofPairs(base, runs, (one, other) -> one.perSecond() / other.perSecond());
  }

  private static Sample cpu(List<Run> base, List<Run> runs) {
    return Sample.ofPairs(
        base, runs, (one, other) -> other.cpuSecondsPerMillion() / one.cpuSecondsPerMillion());
  }

  private static List<Object> row(int tasks, List<Run> runs, List<Run> base) {
    Sample time = time(base, runs);
    Sample cpu = cpu(base, runs);
    return List.of(
        tasks,
        Math.round(Sample.of(runs, Run::perSecond).median()),
        "%.2f".formatted(Sample.of(runs, Run::cpuSecondsPerMillion).median()),
        "%.2f".formatted(time.median()),
        "%.2f to %.2f".formatted(time.least(), time.most()),
        "%.2f".formatted(cpu.median()),
        "%.2f to %.2f".formatted(cpu.least(), cpu.most()),
        Math.round(Sample.of(runs, Run::startMillis).median()),
        Math.round(Sample.of(runs, Run::stopMillis).median()));
  }

  private static Map<String, @Nullable Object> result(
      Setup setup, int tasks, List<Run> runs, List<Run> base) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", setup.plane() == DataPlane.DIRECT ? "millrace" : "millrace-official");
    result.put("scenario", "tasks");
    result.put("tasks", tasks);
    result.put("keys", setup.keys());
    result.put("rate", Sample.of(runs, Run::perSecond).median());
    result.put("cpuSecondsPerMillion", Sample.of(runs, Run::cpuSecondsPerMillion).median());
    result.put("peakRssMb", null);
    result.put("p50Ms", null);
    result.put("p99Ms", null);
    result.put("timesTheTime", time(base, runs).median());
    result.put("timesTheCpu", cpu(base, runs).median());
    result.put("startMs", Sample.of(runs, Run::startMillis).median());
    result.put("stopMs", Sample.of(runs, Run::stopMillis).median());
    result.put("versions", BuildVersion.text());
    result.put("settings", SETTINGS);
    return result;
  }
}
