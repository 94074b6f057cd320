package dev.millrace.benchmarks.compaction;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Names;
import dev.millrace.benchmarks.report.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Figures 3 to 9 of Chronarakis et al.: tuples go steadily into windows of a second, and beside it
/// one looks how large the changelog is on the broker's disk and how much of a processor the broker
/// uses, with each policy of compaction.
///
/// As there: ten keys, one partition, two cleaners that sleep for 15 seconds when they find nothing
/// to do. What the windows have counted is checked.
public final class CompactionBenchmark {
  private static final String[] BROKER = {"log.cleaner.threads=2", "log.cleaner.backoff.ms=15000"};
  private static final int SAMPLES = 60;
  private static final int WARM_SECONDS = 5;
  private static final double MB = 1e6;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is to be run.
  ///
  /// @param perSecond tuples
  /// @param seconds that tuples come
  /// @param runs of each case, of which the median counts
  public record Setup(
      List<Logging> loggings,
      List<Keeping> keepings,
      List<Policy> policies,
      int perSecond,
      int seconds,
      int runs) {
    public Setup {
      loggings = List.copyOf(loggings);
      keepings = List.copyOf(keepings);
      policies = List.copyOf(policies);
      if (perSecond < 1 || seconds < 1 || runs < 1) {
        throw new IllegalArgumentException("There must be at least one tuple, second and run.");
      }
    }

    List<Case> cases() {
      return loggings.stream()
          .flatMap(logging ->
              keepings.stream()
                  .flatMap(keeping ->
                      policies.stream().map(policy -> new Case(logging, keeping, policy))))
          .toList();
    }

    long tuples() {
      return (long) perSecond * seconds;
    }
  }

  /// @param directory for all that is written; not emptied
  public CompactionBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    Map<Case, List<Run>> runs = new LinkedHashMap<>();
    try (Cluster cluster = new Cluster(directory, BROKER)) {
      List<Case> cases = setup.cases();
      progress.accept("Warming up");
      Trial trial = new Trial(cluster, directory, progress);
      var _ =
          trial.run(cases.getFirst(), (long) setup.perSecond * WARM_SECONDS, setup.perSecond, 1);
      for (int round = 0; round < setup.runs; round++) {
        for (Case each : cases) {
          progress.accept("%s, run %d of %d".formatted(each, round + 1, setup.runs));
          runs.computeIfAbsent(each, _ -> new ArrayList<>())
              .add(trial.run(each, setup.tuples(), setup.perSecond, SAMPLES));
        }
      }
    }
    return figure(runs);
  }

  private Figure figure(Map<Case, List<Run>> runs) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs);
    facts.put("tuples", setup.tuples());
    facts.put("tuples a second", setup.perSecond);
    facts.put("keys", Tuples.KEYS);
    facts.put("bytes a tuple", 100);
    facts.put("window ms", Tuples.WINDOW_MILLIS);
    facts.put("partitions", 1);
    facts.put("broker", String.join(", ", BROKER));
    setup.policies.forEach(policy -> facts.put(Names.of(policy), policy.settings()));
    return new Figure(
        "compaction",
        "Compaction of a changelog of windows (Chronarakis et al., figures 3 to 9)",
        facts,
        List.of(
            "changelog",
            "windows",
            "policy",
            "most MB",
            "median MB",
            "at the end MB",
            "broker % of a processor",
            "spread",
            "job % of a processor"),
        runs.entrySet().stream().map(each -> row(each.getKey(), each.getValue())).toList(),
        plots(runs),
        runs.entrySet().stream().map(each -> result(each.getKey(), each.getValue())).toList());
  }

  private static List<Object> row(Case each, List<Run> runs) {
    Sample broker = Sample.of(runs, Run::brokerPercent);
    return List.of(
        Names.of(each.logging()),
        Names.of(each.keeping()),
        Names.of(each.policy()),
        megabytes(runs, Run::most),
        megabytes(runs, Run::middle),
        megabytes(runs, Run::last),
        "%.1f".formatted(broker.median()),
        "%.1f to %.1f".formatted(broker.least(), broker.most()),
        "%.1f".formatted(Sample.of(runs, run -> 100 * run.jobSeconds() / run.seconds()).median()));
  }

  private static String megabytes(List<Run> runs, ToDoubleFunction<Run> bytes) {
    return "%.2f".formatted(Sample.of(runs, bytes).median() / MB);
  }

  private Map<String, @Nullable Object> result(Case each, List<Run> runs) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    double millions = setup.tuples() / 1e6;
    result.put("engine", Names.of(each.logging()));
    result.put("scenario", Names.of(each.keeping()) + "-" + Names.of(each.policy()));
    result.put("keys", Tuples.KEYS);
    result.put("records", setup.tuples());
    result.put("rate", Sample.of(runs, run -> setup.tuples() / run.seconds()).median());
    result.put(
        "cpuSecondsPerMillion", Sample.of(runs, run -> run.jobSeconds() / millions).median());
    result.put("peakRssMb", runs.stream().mapToLong(Run::jobPeakBytes).max().orElse(0) >> 20);
    result.put("p50Ms", null);
    result.put("p99Ms", null);
    result.put(
        "brokerCpuSecondsPerMillion",
        Sample.of(runs, run -> run.brokerSeconds() / millions).median());
    result.put("brokerPercentOfAProcessor", Sample.of(runs, Run::brokerPercent).median());
    result.put("brokerPercentOfAProcessorOfRuns", runs.stream().map(Run::brokerPercent).toList());
    result.put("mostBytes", Sample.of(runs, Run::most).median());
    result.put("medianBytes", Sample.of(runs, Run::middle).median());
    result.put("lastBytes", Sample.of(runs, Run::last).median());
    result.put("bytesOfRuns", runs.stream().map(Run::sizes).toList());
    result.put("versions", BuildVersion.text());
    result.put("settings", each.settings());
    return result;
  }

  private List<Plot> plots(Map<Case, List<Run>> runs) {
    List<Plot> plots = new ArrayList<>();
    List<String> seconds =
        IntStream.rangeClosed(1, SAMPLES)
            .mapToObj(i -> "%d".formatted(Math.round((double) i * setup.seconds / SAMPLES)))
            .toList();
    for (Logging logging : setup.loggings) {
      plots.add(
          new Plot(
              "seconds, changelog as of " + Names.of(logging),
              "MB of changelog",
              seconds,
              runs.entrySet().stream()
                  .filter(each -> each.getKey().logging() == logging)
                  .map(each -> new Line(each.getKey().windows(), sizes(each.getValue())))
                  .toList(),
              Scale.LOGARITHMIC));
    }
    plots.add(
        new Plot(
            "policy",
            "broker, % of a processor",
            setup.policies.stream().map(Names::of).toList(),
            brokers(runs)));
    return plots;
  }

  /// Of the first run, in megabytes.
  private static List<Double> sizes(List<Run> runs) {
    List<Double> sizes = new ArrayList<>();
    for (long bytes : runs.getFirst().sizes()) {
      sizes.add(bytes / MB);
    }
    return sizes;
  }

  private List<Line> brokers(Map<Case, List<Run>> runs) {
    List<Line> lines = new ArrayList<>();
    for (Logging logging : setup.loggings) {
      for (Keeping keeping : setup.keepings) {
        lines.add(
            new Line(
                Names.of(logging) + ", " + Names.of(keeping),
                runs.entrySet().stream()
                    .filter(each ->
                        each.getKey().logging() == logging && each.getKey().keeping() == keeping)
                    .map(each -> Sample.of(each.getValue(), Run::brokerPercent).median())
                    .toList()));
      }
    }
    return lines;
  }
}
