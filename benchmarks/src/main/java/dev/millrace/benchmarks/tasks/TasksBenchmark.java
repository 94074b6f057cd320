package dev.millrace.benchmarks.tasks;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.kafka.DataPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What many tasks cost: the same records counted by key from a topic of few partitions and from
/// one of many, by two workers, exactly-once, with a changelog and a commit a second.
///
/// The jobs run one after the other in one warm process, forwards and backwards in turn; what
/// counts is the median of the ratios within each round. What a start takes to the first record,
/// and an end with its last commit, is told apart.
public final class TasksBenchmark {
  static final int WORKERS = 2;

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration CALM = Duration.ofMinutes(1);

  /// With a key of eight bytes, a record has a hundred.
  private static final int EVENT_BYTES = 92;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is compared.
  ///
  /// @param tasks numbers of partitions, the first of which the others are compared with
  /// @param keys each as often as the others
  /// @param records that each job processes
  /// @param rounds of one run of each
  public record Setup(List<Integer> tasks, DataPlane plane, long keys, long records, int rounds) {
    public Setup {
      tasks = List.copyOf(tasks);
    }
  }

  /// What one run gave; times in milliseconds, of a start to the first record.
  record Run(double perSecond, double cpuSecondsPerMillion, long startMillis, long stopMillis) {}

  /// @param directory for all that is written; not emptied
  public TasksBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    Map<Integer, List<Run>> runs = new LinkedHashMap<>();
    setup.tasks.forEach(tasks -> runs.put(tasks, new ArrayList<>()));
    try (Cluster cluster = new Cluster(directory)) {
      for (int tasks : setup.tasks) {
        write(cluster, tasks);
      }
      cluster.awaitCalm(CALM);
      progress.accept("warming up");
      try (Child child = start(cluster)) {
        int all = setup.rounds * setup.tasks.size();
        for (int i = 0; i < all; i++) {
          String[] told = child.await("run-" + i, LONG).split(" ");
          runs.computeIfAbsent(tasks(told[0]), _ -> new ArrayList<>())
              .add(
                  new Run(
                      Double.parseDouble(told[1]),
                      Double.parseDouble(told[2]),
                      Long.parseLong(told[3]),
                      Long.parseLong(told[4])));
          progress.accept("run %d of %d".formatted(i + 1, all));
        }
      }
    }
    return Report.figure(setup, runs);
  }

  private static String topic(int tasks) {
    return "events-" + tasks;
  }

  private static int tasks(String topic) {
    return Integer.parseInt(topic.substring(topic.indexOf('-') + 1));
  }

  private void write(Cluster cluster, int tasks) throws InterruptedException, ExecutionException {
    Producing.createTopic(cluster.bootstrap(), topic(tasks), tasks);
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          topic(tasks),
          setup.records,
          i -> i % setup.keys,
          EVENT_BYTES,
          sent ->
              progress.accept(
                  "Writing %d partitions: %,d of %,d records"
                      .formatted(tasks, sent, setup.records)));
    }
  }

  private Child start(Cluster cluster) {
    return Child.start(
        "jobs",
        Program.of(TaskRuns.class, "-Xmx2g"),
        Stream.concat(
                Stream.of(
                    cluster.bootstrap(),
                    directory.resolve("state").toString(),
                    setup.plane.name(),
                    Long.toString(setup.records),
                    Integer.toString(setup.rounds)),
                setup.tasks.stream().map(TasksBenchmark::topic))
            .toList(),
        directory);
  }
}
