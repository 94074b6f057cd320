package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.app.Programs;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// What a change of a program with state costs.
///
/// An engine counts and adds up events by key until the state is there; then results are asked for
/// at a steady rate, and the program is stopped and started, changed and unchanged by turns. Each
/// engine has topics of its own on the same Kafka, and runs alone.
public final class ChangeBenchmark {
  static final int PARTITIONS = 4;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final List<Outcome> outcomes = new ArrayList<>();

  /// What is to be run.
  ///
  /// @param engines in this order
  /// @param stateBytes of the keys and values that the job keeps
  /// @param rate numbered events a second
  /// @param changes that are done, by engines that can; each brings those before it with it that
  ///   are not among them
  /// @param work events that are processed at once where the cost of a migration is measured
  /// @param migrationIsAwaited whether the last migration is awaited, and compared with what was
  ///   predicted
  /// @param window how long is measured behind the first results of a start
  /// @param runs each of which makes the state anew
  /// @param plan the command `millrace`
  /// @param home of the working copy, where the other engines are
  public record Setup(
      List<Contender> engines,
      List<Change> changes,
      long stateBytes,
      int rate,
      long work,
      boolean migrationIsAwaited,
      Duration window,
      int runs,
      Program plan,
      Path home) {
    /// What the state of a key takes, about.
    private static final long KEY_BYTES = 150;

    public Setup {
      engines = List.copyOf(engines);
      changes = List.copyOf(changes);
      int back = changes.indexOf(Change.ROLL_BACK);
      if (back == 0 || (back > 0 && changes.get(back - 1).isUnchanged())) {
        throw new IllegalArgumentException(
            "--changes %s: there is nothing before it that could be rolled back."
                .formatted(Change.ROLL_BACK.id()));
      }
    }

    long keys() {
      return Math.max(1, stateBytes / KEY_BYTES);
    }
  }

  /// @param directory for all that is written; not emptied
  public ChangeBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    // Before anything takes time: what is missing is said at once.
    setup.engines.forEach(each -> each.requireBuilt(setup.home));
    for (int run = 1; run <= setup.runs; run++) {
      Path here = Files.createDirectories(directory.resolve("run-" + run));
      try (Cluster cluster = new Cluster(here)) {
        for (Contender contender : setup.engines) {
          outcomes.add(run(contender, cluster, here.resolve(contender.id())));
        }
      }
      Directories.delete(here);
    }
    return new Report(setup, outcomes).figure();
  }

  /// Returns what Millrace did wrong, in words.
  public List<String> failures() {
    return new Report(setup, outcomes).failures();
  }

  private Outcome run(Contender contender, Cluster cluster, Path here)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Files.createDirectories(here);
    String bootstrap = cluster.bootstrap();
    Producing.createTopic(bootstrap, Programs.INPUT, PARTITIONS);
    Producing.createTopic(bootstrap, Programs.OUTPUT, PARTITIONS);
    Ledger ledger = new Ledger(setup.keys());
    try (Engine engine = contender.engine(setup, bootstrap, here, ledger);
        Input input = new Input(bootstrap, Programs.INPUT, ledger);
        Output output = new Output(bootstrap, Programs.OUTPUT, PARTITIONS, ledger)) {
      return new EngineRun(setup, cluster, engine, ledger, input, output, progress).run();
    } finally {
      Producing.deleteTopics(bootstrap, Programs.APPLICATION);
      Directories.delete(here);
    }
  }
}
