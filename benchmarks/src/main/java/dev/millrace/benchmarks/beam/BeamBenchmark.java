package dev.millrace.benchmarks.beam;

import dev.millrace.benchmarks.beam.BeamRow.Run;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.report.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Has runners of Beam answer the queries of its Nexmark, each in a process of its own for each
/// query, one after the other; compares the answers, and measures the time of processors.
public final class BeamBenchmark {
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final BeamSetup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Consumer<String> measured;
  private final List<BeamRow> rows = new ArrayList<>();

  /// @param directory for all that is written; not emptied
  /// @param measured gets what each query came to, as soon as it has
  public BeamBenchmark(
      BeamSetup setup, Path directory, Consumer<String> progress, Consumer<String> measured) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
    this.measured = measured;
  }

  public Figure run() throws InterruptedException, TimeoutException {
    // Before anything takes time: what is missing is said at once.
    setup.runners().forEach(runner -> runner.program(setup.home(), setup.heapMb()));
    try (Cluster cluster = new Cluster(directory)) {
      for (String query : setup.queries()) {
        for (BeamRunner runner : setup.runners()) {
          progress.accept("%s on %s".formatted(query, runner.id()));
          BeamRow row = row(runner, query, cluster.bootstrap());
          measured.accept(row.text());
          rows.add(row);
        }
      }
    }
    return BeamReport.figure(setup, rows);
  }

  private BeamRow row(BeamRunner runner, String query, String bootstrap)
      throws InterruptedException {
    String name = runner.id() + "-" + query;
    List<String> arguments =
        new ArrayList<>(
            List.of(
                query,
                Integer.toString(setup.warm()),
                Integer.toString(setup.runs()),
                Long.toString(setup.events())));
    arguments.addAll(runner.options(bootstrap, directory.resolve(name)));
    try (Child child =
        Child.start(name, runner.program(setup.home(), setup.heapMb()), arguments, directory)) {
      child.await("done", PATIENCE);
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < setup.runs(); i++) {
        runs.add(Run.of(child.told("run-" + i), setup.events()));
      }
      return new BeamRow(runner, query, runs, child.told("answers"), null);
    } catch (IllegalStateException | TimeoutException e) {
      return BeamRow.failed(runner, query, String.valueOf(e.getMessage()));
    }
  }

  /// What failed, and answers of a query that are not the same on all runners, in words; empty if
  /// all went well.
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (BeamRow row : rows) {
      if (row.why() != null) {
        failures.add(row.text());
      }
      for (BeamRow other : rows) {
        if (row.query().equals(other.query())
            && row.runner().compareTo(other.runner()) < 0
            && BeamReport.differ(row, other)) {
          failures.add(
              "%s: the answers of %s (%s) and %s (%s) differ"
                  .formatted(
                      row.query(),
                      row.runner().id(),
                      row.answers(),
                      other.runner().id(),
                      other.answers()));
        }
      }
    }
    return failures;
  }
}
