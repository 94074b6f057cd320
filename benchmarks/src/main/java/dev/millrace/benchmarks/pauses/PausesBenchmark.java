package dev.millrace.benchmarks.pauses;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Sample;
import dev.millrace.benchmarks.scenarios.Distribution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

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

  /// What a round gave, in milliseconds.
  ///
  /// @param p99 99 of 100 pauses took no longer
  /// @param away how long it took behind each abort until a record was processed again
  record Round(
      long commits,
      long flushes,
      double p99,
      double p999,
      double longest,
      double perSecond,
      Sample away) {

    /// What [PauseRuns] tells.
    static Round of(String pauses, String aborts) {
      List<Double> numbers = numbers(pauses);
      return new Round(
          numbers.get(0).longValue(),
          numbers.get(1).longValue(),
          numbers.get(2),
          numbers.get(3),
          numbers.get(4),
          numbers.get(5),
          new Sample(numbers(aborts)));
    }

    private static List<Double> numbers(String told) {
      return told.isBlank()
          ? List.of()
          : Arrays.stream(told.split(" ")).map(Double::valueOf).toList();
    }

    /// Not a number if nothing was aborted.
    double awayMedian() {
      return away.values().isEmpty() ? Double.NaN : away.median();
    }

    double awayLongest() {
      return away.values().isEmpty() ? Double.NaN : away.most();
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
    List<Round> rounds = new ArrayList<>();
    try (Cluster cluster = new Cluster(directory)) {
      write(cluster, topic);
      cluster.awaitCalm(CALM);
      progress.accept("warming up");
      try (Child child = start(cluster, topic)) {
        for (int round = 0; round < setup.rounds; round++) {
          rounds.add(
              Round.of(child.await("pauses-" + round, LONG), child.await("aborts-" + round, LONG)));
          progress.accept("round %d of %d".formatted(round + 1, setup.rounds));
        }
      }
    }
    return Report.figure(setup, rounds);
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
}
