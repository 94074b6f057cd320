package dev.millrace.benchmarks.localstate;

import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Figure 8 of Noghabi et al.: how fast a job is that asks its state for each record, by where the
/// state is.
///
/// Cases take turns, each in a process of its own, over the same topic of the same Kafka. What they
/// have counted and joined is checked.
public final class LocalStateBenchmark {
  static final int PARTITIONS = 4;

  /// Of the records that use the state, before the measurement begins: compilers are warm by then.
  static final double WARM_SHARE = 0.2;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is to be run.
  ///
  /// @param ids that the state has
  /// @param records that use it
  /// @param cacheBytes of the cache before state on disk
  /// @param runs of each case, of which the median counts
  /// @param home of the working copy, where the job with a store elsewhere is
  public record Setup(
      List<Access> accesses,
      List<Storing> storings,
      long ids,
      long records,
      long cacheBytes,
      int runs,
      Path home) {
    public Setup {
      accesses = List.copyOf(accesses);
      storings = List.copyOf(storings);
      if (ids < 1 || ids > Integer.MAX_VALUE || records < 1 || records > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "There must be 1 to %d keys, and at least as many records; found %d and %d."
                .formatted(Integer.MAX_VALUE, ids, records));
      }
    }
  }

  /// What is run.
  record Case(Access access, Storing storing) {}

  /// @param directory for all that is written; not emptied
  public LocalStateBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    Map<Case, List<Run>> runs = new LinkedHashMap<>();
    try (Cluster cluster = new Cluster(directory)) {
      Trial trial = new Trial(setup, cluster, directory, progress);
      for (Access access : setup.accesses) {
        Map<Long, StateInput> inputs = inputs(access, cluster);
        for (int round = 0; round < setup.runs; round++) {
          for (Storing storing : setup.storings) {
            StateInput input = Objects.requireNonNull(inputs.get(storing.records(setup.records)));
            Case each = new Case(access, storing);
            String what =
                "%s, %s, run %d of %d"
                    .formatted(Names.of(access), Names.of(storing), round + 1, setup.runs);
            runs.computeIfAbsent(each, _ -> new ArrayList<>())
                .add(trial.run(access, storing, input, what));
          }
        }
      }
    }
    return Report.figure(setup, runs);
  }

  /// One for each number of records.
  private Map<Long, StateInput> inputs(Access access, Cluster cluster)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<Long, StateInput> inputs = new LinkedHashMap<>();
    for (Storing storing : setup.storings) {
      long records = storing.records(setup.records);
      if (!inputs.containsKey(records)) {
        inputs.put(
            records,
            StateInput.write(
                access, setup.ids, records, cluster.bootstrap(), PARTITIONS, progress));
      }
    }
    return inputs;
  }
}
