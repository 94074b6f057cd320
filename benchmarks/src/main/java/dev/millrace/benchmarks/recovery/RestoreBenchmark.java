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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Table I of Chronarakis et al.: how long the state of windows takes to be restored from the
/// changelog alone, by the number of tuples that went into it.
///
/// Folding windows keep one value a key, retaining ones every tuple of 100 bytes. The changelog of
/// a folding window holds one record a key and commit, as a commit merges what it changes. What is
/// measured is the replay itself, as Chronarakis et al. does, in one container of two workers and
/// four tasks.
public final class RestoreBenchmark {
  private static final int PARTITIONS = 4;
  private static final int WORKERS = 2;

  /// Enough for each task to have some.
  private static final long FOLDED_KEYS = 64;

  private static final int TRICKLE = 100;

  private final List<Long> sizes;
  private final int runs;
  private final Path directory;
  private final Consumer<String> progress;

  /// @param sizes numbers of tuples
  /// @param runs of each case; the median counts
  /// @param directory for all that is written; not emptied
  public RestoreBenchmark(List<Long> sizes, int runs, Path directory, Consumer<String> progress) {
    this.sizes = List.copyOf(sizes);
    this.runs = runs;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    List<List<Object>> rows = new ArrayList<>();
    List<Double> folding = new ArrayList<>();
    List<Double> retaining = new ArrayList<>();
    for (long tuples : sizes) {
      folding.add(measure("folding", tuples, Math.min(tuples, FOLDED_KEYS), rows));
      retaining.add(measure("retaining", tuples, tuples, rows));
    }
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", runs);
    facts.put("tasks", PARTITIONS);
    facts.put("workers", WORKERS);
    return new Figure(
        "restore",
        "Restoring windows from the changelog (Chronarakis et al., table I)",
        facts,
        List.of("tuples", "windows", "ms", "records", "records/s"),
        rows,
        new Plot(
            "tuples",
            "seconds",
            sizes.stream().map("%,d"::formatted).toList(),
            List.of(new Line("folding", folding), new Line("retaining", retaining))));
  }

  private double measure(String windows, long tuples, long keys, List<List<Object>> rows)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Path here = Files.createDirectories(directory.resolve(windows + "-" + tuples));
    List<Recovery> all = new ArrayList<>();
    Lab.Setup setup = new Lab.Setup(tuples, keys, PARTITIONS, WORKERS, List.of(1));
    try (Lab lab = new Lab(setup, here, progress)) {
      lab.fill();
      lab.trickle(TRICKLE);
      for (int run = 1; run <= runs; run++) {
        progress.accept("%,d tuples, %s, run %d of %d".formatted(tuples, windows, run, runs));
        lab.settle();
        all.add(lab.kill(0, true));
      }
    }
    all.sort((one, other) -> Long.compare(one.restoreMillis(), other.restoreMillis()));
    Recovery median = all.get(all.size() / 2);
    rows.add(
        List.of(
            tuples,
            windows,
            median.restoreMillis(),
            median.restoredRecords(),
            median.restoredRecords() * 1_000 / Math.max(1, median.restoreMillis())));
    return median.restoreMillis() / 1e3;
  }
}
