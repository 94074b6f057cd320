package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Names;
import dev.millrace.spi.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// What it costs that containers come, go and die.
///
/// Each row starts a Kafka and containers, a process each, which count events by key, and does
/// something to them. A reader of committed rows notes when each partition had some, and compares
/// each row with what follows from the events alone; a reader of the decisions notes when each task
/// got another owner.
public final class ContainersBenchmark {
  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Findings findings = new Findings();
  private final List<String> unfinished = new ArrayList<>();

  /// What is to be run.
  ///
  /// @param rows in this order
  /// @param runs of each
  /// @param rate events a second
  /// @param partitions of the input, and so tasks
  /// @param size how much is done
  /// @param home of the working copy, where the other engine is
  public record Setup(
      List<Rows> rows, int runs, int rate, int partitions, int keys, Size size, Path home) {
    private static final int COMMIT_MILLIS = 100;
    private static final int HEAP_MEGABYTES = 160;

    public Setup {
      rows = List.copyOf(rows);
    }

    /// Returns whether all is to be as short as can be.
    boolean isQuick() {
      return size.seconds == Size.QUICK.seconds;
    }

    int repeats() {
      return size.repeats;
    }

    int moves() {
      return size.moves;
    }

    int restarts() {
      return size.restarts;
    }

    /// What makes some 100 MB in each of two tasks.
    int handoverKeys() {
      return keys * size.handoverTimes;
    }

    int manyContainers() {
      return size.manyContainers;
    }

    int idleSeconds() {
      return size.seconds;
    }

    int steadySeconds() {
      return size.seconds / 2;
    }

    int burst() {
      return rate * size.burstSeconds;
    }

    int commitMillis() {
      return COMMIT_MILLIS;
    }

    Fleet.Options fleet(int standbys, boolean apart) {
      return new Fleet.Options(1, standbys, apart, COMMIT_MILLIS, HEAP_MEGABYTES);
    }

    Scene.Setting setting(int containers, Fleet.Options fleet) {
      return new Scene.Setting(containers, partitions, keys, rate, fleet);
    }
  }

  /// How much is done in a run.
  ///
  /// @param repeats how often a container joins, leaves or dies, each
  /// @param moves of tasks by draining containers
  /// @param restarts drawn by a seed
  /// @param handoverTimes how many times as much state the tasks have that are handed over
  /// @param manyContainers of the row of recoveries
  /// @param seconds in which nothing is done but looking
  /// @param burstSeconds of load that is processed at once
  public record Size(
      int repeats,
      int moves,
      int restarts,
      int handoverTimes,
      int manyContainers,
      int seconds,
      int burstSeconds) {
    public static final Size FULL = new Size(4, 200, 40, 28, 8, 40, 60);

    /// Says nothing, but shows that it runs.
    public static final Size QUICK = new Size(1, 2, 1, 1, 2, 2, 1);

    /// Returns a copy with other numbers of what takes longest.
    public Size with(int newMoves, int newRestarts) {
      return new Size(
          repeats, newMoves, newRestarts, handoverTimes, manyContainers, seconds, burstSeconds);
    }
  }

  /// @param directory for all that is written; not emptied
  public ContainersBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run() throws InterruptedException, ExecutionException, IOException {
    if (setup.rows.contains(Rows.PEER)) {
      // Before anything takes time: what is missing is said at once.
      for (Contender each : Contender.values()) {
        each.requireBuilt(setup.home);
      }
    }
    for (int run = 1; run <= setup.runs; run++) {
      for (Rows row : setup.rows) {
        Path here =
            Files.createDirectories(directory.resolve("%s-%d".formatted(Names.of(row), run)));
        play(new Stage(row, setup, run, here, findings, progress));
        Directories.delete(here);
      }
    }
    return new Report(setup, findings.list()).figure();
  }

  /// Plays a row; the others are worth something without it.
  private void play(Stage stage) throws InterruptedException, ExecutionException, IOException {
    try {
      stage.row().play().play(stage);
    } catch (TimeoutException | LogException | IllegalStateException e) {
      unfinished.add(
          "%s, run %d: %s".formatted(Names.of(stage.row()), stage.run(), e.getMessage()));
    }
  }

  /// Returns what was lost, counted twice or wrong, and which rows came to no end, in words.
  public List<String> failures() {
    List<String> failures = new ArrayList<>(unfinished);
    failures.addAll(new Report(setup, findings.list()).failures());
    return failures;
  }
}
