package dev.millrace.benchmarks.commit;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.nio.file.Path;
import java.time.Duration;
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
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration CALM = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;

  /// With a key of eight bytes, a record has a hundred.
  private static final int EVENT_BYTES = 92;

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

  private record Run(double perSecond, double cpuSecondsPerMillion) {}

  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    List<List<Object>> rows = new ArrayList<>();
    Map<Variant, List<Double>> rates = new EnumMap<>(Variant.class);
    try (Cluster cluster = new Cluster(directory)) {
      for (long each : keys) {
        Map<Variant, List<Run>> runs = measure(cluster, each);
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
    facts.put("tasks", PARTITIONS);
    facts.put("commit interval", "1 s");
    return new Figure(
        "commit",
        "What the changelog and exactly-once cost",
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
        Sample.ofPairs(base, runs, (one, other) -> 100 * (1 - one.perSecond / other.perSecond));
    Sample cpu =
        Sample.ofPairs(
            base,
            runs,
            (one, other) -> 100 * (one.cpuSecondsPerMillion / other.cpuSecondsPerMillion - 1));
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

  private Map<Variant, List<Run>> measure(Cluster cluster, long ofKeys)
      throws InterruptedException, TimeoutException, ExecutionException {
    String topic = "events-" + ofKeys;
    Producing.createTopic(cluster.bootstrap(), topic, PARTITIONS);
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          topic,
          records,
          i -> i % ofKeys,
          EVENT_BYTES,
          sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, records)));
    }
    cluster.awaitCalm(CALM);
    Map<Variant, List<Run>> runs = new EnumMap<>(Variant.class);
    progress.accept("%,d keys: warming up".formatted(ofKeys));
    try (Child child =
        Child.start(
            "jobs-" + ofKeys,
            Program.of(CommitRuns.class, "-Xmx1g", "-XX:+UseSerialGC"),
            List.of(
                cluster.bootstrap(),
                topic,
                directory.resolve("state").toString(),
                Long.toString(records),
                Integer.toString(rounds)),
            directory)) {
      int all = rounds * Variant.values().length;
      for (int i = 0; i < all; i++) {
        String[] told = child.await("run-" + i, LONG).split(" ");
        runs.computeIfAbsent(Variant.valueOf(told[0]), _ -> new ArrayList<>())
            .add(new Run(Double.parseDouble(told[1]), Double.parseDouble(told[2])));
        progress.accept("%,d keys: run %d of %d".formatted(ofKeys, i + 1, all));
      }
    }
    return runs;
  }
}
