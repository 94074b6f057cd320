package dev.millrace.benchmarks.commit;

import dev.millrace.benchmarks.commit.Comparison.Run;
import dev.millrace.benchmarks.commit.Comparison.Setup;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// What the changelog and exactly-once cost a job that counts by key: the rate with both, without
/// the changelog, and at least once, with a commit a second.
///
/// The jobs run one after the other in one warm process, forwards and backwards in turn; what
/// counts is the median of the ratios within each round.
public final class CommitBenchmark {
  private final List<Long> keys;
  private final long records;
  private final int rounds;
  private final Path directory;
  private final Consumer<String> progress;

  /// @param keys numbers of keys
  /// @param records that each job processes
  /// @param rounds of one run of each variant
  /// @param directory for all that is written; not emptied
  public CommitBenchmark(
      List<Long> keys, long records, int rounds, Path directory, Consumer<String> progress) {
    this.keys = List.copyOf(keys);
    this.records = records;
    this.rounds = rounds;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    List<List<Object>> rows = new ArrayList<>();
    Map<Variant, List<Double>> rates = new EnumMap<>(Variant.class);
    try (Cluster cluster = new Cluster(directory)) {
      for (long each : keys) {
        Comparison comparison =
            new Comparison(
                new Setup(
                    List.of(Variant.EXACTLY_ONCE, Variant.WITHOUT_CHANGELOG, Variant.AT_LEAST_ONCE),
                    each,
                    records,
                    rounds,
                    false),
                directory,
                progress);
        Map<Variant, List<Run>> runs = comparison.measure(cluster);
        List<Run> base = Objects.requireNonNull(runs.get(Variant.EXACTLY_ONCE));
        runs.forEach((variant, all) -> {
          rows.add(row(each, variant, all, base));
          rates
              .computeIfAbsent(variant, _ -> new ArrayList<>())
              .add(Sample.of(all, Run::perSecond).median() / 1e6);
        });
      }
    }
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", rounds);
    facts.put("records", records);
    facts.put("tasks", Comparison.PARTITIONS);
    facts.put("commit interval", "1 s");
    return new Figure(
        "commit",
        "Cost of the changelog and of exactly-once",
        facts,
        List.of(
            "keys",
            "guarantee",
            "records/s",
            "CPU s/million",
            "cost of the first %",
            "spread %",
            "cost in CPU %"),
        rows,
        new Plot(
            "keys",
            "million records a second",
            keys.stream().map("%,d"::formatted).toList(),
            rates.entrySet().stream()
                .map(each -> new Line(each.getKey().title(), each.getValue()))
                .toList()));
  }

  private static List<Object> row(long keys, Variant variant, List<Run> runs, List<Run> base) {
    // How much slower, and how much more at work, the first is than this one.
    Sample cost =
        Sample.ofPairs(base, runs, (one, other) -> 100 * (1 - one.perSecond() / other.perSecond()));
    Sample cpu =
        Sample.ofPairs(
            base,
            runs,
            (one, other) -> 100 * (one.cpuSecondsPerMillion() / other.cpuSecondsPerMillion() - 1));
    boolean first = variant == Variant.EXACTLY_ONCE;
    return List.of(
        keys,
        variant.title(),
        Math.round(Sample.of(runs, Run::perSecond).median()),
        "%.2f".formatted(Sample.of(runs, Run::cpuSecondsPerMillion).median()),
        first ? "" : "%.1f".formatted(cost.median()),
        first ? "" : "%.1f to %.1f".formatted(cost.least(), cost.most()),
        first ? "" : "%.1f".formatted(cpu.median()));
  }
}
