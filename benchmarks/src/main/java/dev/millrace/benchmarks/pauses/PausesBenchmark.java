package dev.millrace.benchmarks.pauses;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.scenarios.Distribution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A job that counts by key at full speed, on disk with a changelog, exactly-once, with a commit a
/// second: how long its workers do something else between two pieces of their work; and, in a
/// second job of which each third commit is aborted, how long it takes from when a worker's group
/// is told until a record is processed again.
public final class PausesBenchmark {
  static final int PARTITIONS = 4;
  static final int WORKERS = 2;

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration CALM = Duration.ofMinutes(1);

  /// With a key of eight bytes, a record has a hundred.
  private static final int EVENT_BYTES = 92;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is measured.
  ///
  /// @param keys about equally often, in no order
  /// @param records that each job processes
  /// @param rounds of one run of each job
  public record Setup(long keys, long records, int rounds) {}

  /// A round's pauses, in milliseconds.
  private record Pauses(
      long commits, long flushes, double p99, double p999, double most, double perSecond) {
    static Pauses of(String told) {
      List<Double> numbers = PauseRuns.numbers(told);
      return new Pauses(
          numbers.get(0).longValue(),
          numbers.get(1).longValue(),
          numbers.get(2),
          numbers.get(3),
          numbers.get(4),
          numbers.get(5));
    }
  }

  /// @param directory for all that is written; not emptied
  public PausesBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    String topic = "events-" + setup.keys;
    List<Pauses> pauses = new ArrayList<>();
    List<List<Double>> aborts = new ArrayList<>();
    try (Cluster cluster = new Cluster(directory)) {
      write(cluster, topic);
      cluster.awaitCalm(CALM);
      progress.accept("warming up");
      try (Child child = start(cluster, topic)) {
        for (int round = 0; round < setup.rounds; round++) {
          pauses.add(Pauses.of(child.await("pauses-" + round, LONG)));
          aborts.add(PauseRuns.numbers(child.await("aborts-" + round, LONG)));
          progress.accept("round %d of %d".formatted(round + 1, setup.rounds));
        }
      }
    }
    return figure(pauses, aborts);
  }

  private void write(Cluster cluster, String topic)
      throws InterruptedException, ExecutionException {
    Producing.createTopic(cluster.bootstrap(), topic, PARTITIONS);
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          topic,
          setup.records,
          Distribution.UNIFORM.keyOf(setup.keys),
          EVENT_BYTES,
          sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, setup.records)));
    }
  }

  private Child start(Cluster cluster, String topic) {
    return Child.start(
        "jobs",
        Program.of(PauseRuns.class, "-Xmx2g"),
        List.of(
            cluster.bootstrap(),
            directory.resolve("state").toString(),
            topic,
            Long.toString(setup.records),
            Integer.toString(setup.rounds)),
        directory);
  }

  private Figure figure(List<Pauses> pauses, List<List<Double>> aborts) {
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", setup.rounds);
    facts.put("records", setup.records);
    facts.put("keys", setup.keys);
    facts.put("partitions", PARTITIONS);
    facts.put("workers", WORKERS);
    facts.put("settings", "exactly-once, state on disk, changelog, commit.interval=1s");
    facts.put("pause", "between two pieces of a worker's work, by the clock, known to an eighth");
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    for (int round = 0; round < pauses.size(); round++) {
      Pauses each = pauses.get(round);
      Sample away = new Sample(aborts.get(round));
      boolean any = !away.values().isEmpty();
      rows.add(
          List.of(
              round + 1,
              Math.round(each.perSecond),
              each.commits,
              each.flushes,
              each.p99,
              each.p999,
              each.most,
              away.values().size(),
              any ? "%.1f".formatted(away.median()) : "",
              any ? "%.1f".formatted(away.most()) : ""));
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      result.put("engine", "millrace");
      result.put("scenario", "pauses");
      result.put("keys", setup.keys);
      result.put("rate", each.perSecond);
      result.put("cpuSecondsPerMillion", null);
      result.put("peakRssMb", null);
      result.put("p50Ms", null);
      result.put("p99Ms", each.p99);
      result.put("p999Ms", each.p999);
      result.put("longestPauseMs", each.most);
      result.put("abortsToProgressMs", away.values());
      result.put("versions", BuildVersion.text());
      result.put("settings", facts.get("settings"));
      results.add(result);
    }
    return new Figure(
            "pauses",
            "How long workers stand still",
            facts,
            List.of(
                "round",
                "records/s",
                "commits",
                "flushes",
                "pause p99 ms",
                "p99.9 ms",
                "longest ms",
                "aborts",
                "to progress p50 ms",
                "longest ms "),
            rows,
            new Plot(
                "round",
                "milliseconds",
                pauses.stream().map(each -> Integer.toString(pauses.indexOf(each) + 1)).toList(),
                List.of(
                    new Line("longest pause", pauses.stream().map(Pauses::most).toList()),
                    new Line(
                        "from an aborted commit to progress, median",
                        aborts.stream()
                            .map(each -> each.isEmpty() ? Double.NaN : new Sample(each).median())
                            .toList()))))
        .withResults(results);
  }
}
