package dev.millrace.benchmarks.breakeven;

import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Figure 7 of Noghabi et al.: the break-even of full checkpoints and a changelog. Its formulas,
/// and beside them what both were seen to write: a snapshot of the whole state, by its files, and
/// the changelog, by what it takes on the broker's disk, at several rates of change. What was
/// counted is checked.
///
/// The interval of checkpoints is not waited for: what one writes is divided by it.
public final class BreakEvenBenchmark {
  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is to be measured.
  ///
  /// @param stateBytes of keys and values
  /// @param entryBytes sizes of an entry, key and value
  /// @param rates changes a second
  /// @param seconds of each rate
  /// @param intervals between checkpoints, in seconds
  public record Setup(
      long stateBytes,
      List<Integer> entryBytes,
      List<Integer> rates,
      int seconds,
      List<Integer> intervals,
      int runs) {
    public Setup {
      entryBytes = List.copyOf(entryBytes);
      rates = rates.stream().sorted().distinct().toList();
      intervals = intervals.stream().sorted().distinct().toList();
      for (int bytes : entryBytes) {
        if (bytes < Entry.LEAST_BYTES || stateBytes < bytes) {
          throw new IllegalArgumentException(
              "An entry of %d bytes is not possible: it needs at least %d, and at most the size of the state."
                  .formatted(bytes, Entry.LEAST_BYTES));
        }
        if (stateBytes / bytes > Integer.MAX_VALUE) {
          throw new IllegalArgumentException(
              "A state of %d bytes has too many entries of %d bytes.".formatted(stateBytes, bytes));
        }
      }
      if (rates.getFirst() < 1 || intervals.getFirst() < 1 || seconds < 1 || runs < 1) {
        throw new IllegalArgumentException(
            "Rates, intervals, seconds and runs must be at least 1.");
      }
    }

    int keys(int bytes) {
      return (int) (stateBytes / bytes);
    }
  }

  /// @param directory for all that is written; not emptied
  public BreakEvenBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    Map<Integer, List<Measured>> runs = new LinkedHashMap<>();
    try (Cluster cluster = new Cluster(directory)) {
      for (int round = 1; round <= setup.runs; round++) {
        for (int bytes : setup.entryBytes) {
          runs.computeIfAbsent(bytes, _ -> new ArrayList<>())
              .add(measure(cluster, bytes, "entries-%d-%d".formatted(bytes, round)));
        }
      }
    }
    return new Report(setup, runs).figure();
  }

  private Measured measure(Cluster cluster, int bytes, String name)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    Path here = Files.createDirectories(directory.resolve(name));
    Task task =
        new Task(
            cluster.bootstrap(),
            name,
            name + "-in",
            name + "-out",
            here.resolve("state"),
            false,
            bytes);
    try (Trial trial = new Trial(cluster, task, setup.keys(bytes), here, progress)) {
      Measured measured = trial.measure(setup.rates, setup.seconds);
      trial.clean();
      return measured;
    }
  }
}
