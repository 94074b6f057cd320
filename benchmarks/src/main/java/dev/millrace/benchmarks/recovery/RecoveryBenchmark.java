package dev.millrace.benchmarks.recovery;

import dev.millrace.benchmarks.recovery.Lab.Recovery;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Figure 11 of Noghabi et al.: how long it takes until a job is back after some of its tasks were
/// killed, by the size of the state, with and without the local state.
///
/// Sixteen tasks in sixteen containers run in three processes, of which one has one container (6 %
/// of the tasks) and one has eight (50 %). One of these is ended as `kill -9` does, while records
/// come in. What is measured ends when each container of the new process has processed its first
/// record.
public final class RecoveryBenchmark {
  private static final List<Integer> PROCESSES = List.of(1, 8, 7);
  private static final int PARTITIONS = 16;
  private static final int TRICKLE = 5_000;

  private final List<Long> sizes;
  private final int runs;
  private final Path directory;
  private final Consumer<String> progress;
  private final Map<String, Double> firsts = new HashMap<>();

  /// @param sizes numbers of keys; each has 100 bytes
  /// @param runs of each case; the median counts
  /// @param directory for all that is written; not emptied
  public RecoveryBenchmark(List<Long> sizes, int runs, Path directory, Consumer<String> progress) {
    this.sizes = List.copyOf(sizes);
    this.runs = runs;
    this.directory = directory;
    this.progress = progress;
  }

  /// One case of the figure.
  private record Case(String name, int process, boolean losesState) {}

  private static final List<Case> CASES =
      List.of(
          new Case("6 %, local state", 0, false),
          new Case("50 %, local state", 1, false),
          new Case("6 %, changelog", 0, true),
          new Case("50 %, changelog", 1, true));

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    List<List<Object>> rows = new ArrayList<>();
    Map<String, List<Double>> lines = new LinkedHashMap<>();
    for (long keys : sizes) {
      Path here = Files.createDirectories(directory.resolve("keys-" + keys));
      Lab.Setup setup = new Lab.Setup(keys, keys, PARTITIONS, 1, PROCESSES);
      try (Lab lab = new Lab(setup, here, progress)) {
        lab.fill();
        lab.trickle(TRICKLE);
        for (Case each : CASES) {
          Recovery recovery = median(lab, each, keys);
          lines
              .computeIfAbsent(each.name, _ -> new ArrayList<>())
              .add(recovery.totalMillis() / 1e3);
          rows.add(
              List.of(
                  keys,
                  keys * PaddedCount.BYTES / 1_000_000,
                  each.name,
                  recovery.totalMillis(),
                  recovery.jvmMillis(),
                  recovery.restoreMillis(),
                  recovery.restoredRecords(),
                  recovery.replayedBytes(),
                  recovery.unflushedBytes() < 0 ? "" : recovery.unflushedBytes(),
                  "%.2f".formatted(recovery.totalMillis() / firstOf(each, recovery))));
        }
      }
    }
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", runs);
    facts.put("tasks", PARTITIONS);
    facts.put("processes", PROCESSES.toString());
    return new Figure(
        "recovery",
        "Recovery time against state size (Noghabi et al., figure 11)",
        facts,
        List.of(
            "keys",
            "MB",
            "lost",
            "ms",
            "of it JVM",
            "of it replay",
            "records replayed",
            "bytes replayed",
            "bytes since flush",
            "times the smallest"),
        rows,
        new Plot(
            "keys of 100 bytes",
            "seconds until the first record",
            sizes.stream().map("%,d"::formatted).toList(),
            lines.entrySet().stream()
                .map(line -> new Line(line.getKey(), line.getValue()))
                .toList()));
  }

  /// What the smallest state took in the same case.
  private double firstOf(Case each, Recovery recovery) {
    return firsts.computeIfAbsent(each.name, _ -> (double) recovery.totalMillis());
  }

  private Recovery median(Lab lab, Case each, long keys)
      throws InterruptedException, TimeoutException, IOException {
    List<Recovery> all = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      progress.accept("%,d keys, %s, run %d of %d".formatted(keys, each.name, run, runs));
      lab.settle();
      all.add(lab.kill(each.process, each.losesState));
    }
    all.sort((one, other) -> Long.compare(one.totalMillis(), other.totalMillis()));
    return all.get(all.size() / 2);
  }
}
