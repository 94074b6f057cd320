package dev.millrace.benchmarks.start;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.LauncherOptions;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.kafka.DataPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// How long a process takes from its start to its first record, and to its first committed output:
/// of an application that never ran, of one that was stopped, and of one that was killed; on both
/// data planes; with the launcher's options of the JVM and without.
public final class StartBenchmark {
  static final int PARTITIONS = 4;
  static final int WORKERS = 2;
  static final int RECORDS = 1_000;
  static final int KEYS = 100;

  private static final int EVENT_BYTES = 92;
  private static final Duration START = Duration.ofMinutes(1);

  /// What Kafka has to do after a start or an end; it does it on the same processors.
  private static final Duration REST = Duration.ofSeconds(2);

  private final int runs;
  private final Path directory;
  private final Consumer<String> progress;
  private final LauncherOptions launcher = LauncherOptions.ofThisProcess();
  private final Map<Case, List<Run>> measured = new LinkedHashMap<>();

  /// What a process finds at its start.
  enum Found {
    NOTHING("never ran"),
    STOPPED("was stopped"),
    KILLED("was killed");

    private final String words;

    Found(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /// What is measured.
  ///
  /// @param fast whether the JVM has the options of the launcher
  record Case(Found found, DataPlane plane, boolean fast) {
    String planeName() {
      return plane.name().toLowerCase(Locale.ROOT);
    }
  }

  /// One start, in milliseconds from the moment at which the process was asked for.
  ///
  /// @param cpuSeconds that the process had used by its first output
  record Run(long mainMillis, long firstMillis, long outputMillis, double cpuSeconds) {}

  /// @param runs of each case, of which the median counts
  /// @param directory for all that is written; not emptied
  public StartBenchmark(int runs, Path directory, Consumer<String> progress) {
    this.runs = runs;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    List<Boolean> plainAndFast = launcher.exist() ? List.of(false, true) : List.of(false);
    // In the order of the table.
    for (Found found : Found.values()) {
      for (DataPlane plane : DataPlane.values()) {
        plainAndFast.forEach(fast -> measured.put(new Case(found, plane, fast), new ArrayList<>()));
      }
    }
    try (Cluster cluster = new Cluster(directory)) {
      // The first is not counted: Kafka is cold.
      for (int run = 0; run <= runs; run++) {
        for (DataPlane plane : DataPlane.values()) {
          for (boolean fast : plainAndFast) {
            run(cluster, run, plane, fast);
          }
        }
      }
    }
    return Report.figure(measured, runs, launcher);
  }

  /// One application, started three times.
  private void run(Cluster cluster, int number, DataPlane plane, boolean fast)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    String bootstrap = cluster.bootstrap();
    String name =
        "start-%d-%s%s"
            .formatted(number, plane.name().toLowerCase(Locale.ROOT), fast ? "-fast" : "");
    Producing.createTopic(bootstrap, StartedJob.input(name), PARTITIONS);
    Producing.createTopic(bootstrap, StartedJob.output(name), PARTITIONS);
    try (Producing producing = new Producing(bootstrap);
        CommittedCounts counts =
            new CommittedCounts(bootstrap, StartedJob.output(name), PARTITIONS)) {
      for (Found found : Found.values()) {
        progress.accept(
            number == 0
                ? "warming up"
                : "run %d of %d: %s, %s".formatted(number, runs, name, found.words()));
        producing.write(StartedJob.input(name), RECORDS, i -> i % KEYS, EVENT_BYTES, _ -> {});
        cluster.awaitCalm(REST);
        Case started = new Case(found, plane, fast);
        Run run = start(name, bootstrap, started, counts);
        if (number > 0) {
          measured.computeIfAbsent(started, _ -> new ArrayList<>()).add(run);
        }
      }
    }
    Producing.deleteTopics(bootstrap, name);
    Directories.delete(directory.resolve(name));
  }

  private Run start(String name, String bootstrap, Case started, CommittedCounts counts)
      throws InterruptedException, TimeoutException {
    Program program =
        Program.of(
            StartedJob.class,
            Stream.concat(Stream.of("-Xms64m", "-Xmx1g"), launcher.options(started.fast).stream())
                .toArray(String[]::new));
    long before = counts.seen();
    long asked = System.currentTimeMillis();
    Child child =
        Child.start(
            name,
            program,
            List.of(
                name,
                "--bootstrap=" + bootstrap,
                "--workers=" + WORKERS,
                "--kafka.data-plane=" + started.planeName(),
                "--state.directory=" + directory.resolve(name)),
            directory);
    try (child) {
      counts.await(before + 1, child::requireAlive);
      long output = System.currentTimeMillis();
      Duration cpu = child.cpu();
      long first = Long.parseLong(child.await("first", START));
      counts.await(before + RECORDS, child::requireAlive);
      if (started.found == Found.STOPPED) {
        child.kill(); // so that the next one finds it so
      }
      return new Run(
          Long.parseLong(child.told("main")) - asked,
          first - asked,
          output - asked,
          cpu.toNanos() / 1e9);
    }
  }
}
