package dev.millrace.benchmarks.pauses;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.commit.Counts;
import dev.millrace.benchmarks.commit.Timed;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The process in which the jobs run one after the other, warm.
final class PauseRuns {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MEMORY_BYTES = 896L << 20;
  private static final int LOOK_MILLIS = 5;

  private final String bootstrap;
  private final Path state;
  private final String topic;
  private final long records;
  private int jobs;

  private PauseRuns(String bootstrap, Path state, String topic, long records) {
    this.bootstrap = bootstrap;
    this.state = state;
    this.topic = topic;
    this.records = records;
  }

  /// Tells of each round how long workers paused, and how long they were away behind aborted
  /// commits. A round before the first warms up.
  ///
  /// @param args address of Kafka, directory for state, topic, its records, rounds
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Parent.endWithIt();
    PauseRuns runs = new PauseRuns(args[0], Path.of(args[1]), args[2], Long.parseLong(args[3]));
    for (int round = -1; round < Integer.parseInt(args[4]); round++) {
      Parent.tell("pauses-" + round, runs.pauses());
      Parent.tell("aborts-" + round, runs.aborts());
    }
    System.exit(0);
  }

  /// Commits, flushes, and milliseconds: 99 of 100 pauses, 999 of 1,000, the longest; records a
  /// second.
  private String pauses() throws IOException, InterruptedException, ExecutionException {
    String name = topic + "-" + jobs++;
    return run(
        name,
        new Counts(name, topic),
        UnaryOperator.identity(),
        (job, nanos) ->
            "%d %d %d %d %d %.0f"
                .formatted(
                    job.metrics().commits(),
                    job.metrics().flushes(),
                    millis(job, 0.99),
                    millis(job, 0.999),
                    millis(job, 1),
                    records * 1e9 / nanos));
  }

  private static long millis(Job job, double share) {
    return job.metrics().pause(share).map(Duration::toMillis).orElse(0L);
  }

  /// Milliseconds of each.
  private String aborts() throws IOException, InterruptedException, ExecutionException {
    String name = topic + "-" + jobs++;
    Repeats repeats = new Repeats(PausesBenchmark.PARTITIONS);
    return run(
        name,
        new WatchedCounts(name, topic, repeats),
        seen -> AbortingLog.around(seen, name + "-changelog", repeats),
        (_, _) ->
            repeats.millis().stream().map("%.1f"::formatted).collect(Collectors.joining(" ")));
  }

  /// Tells what a job that has processed all records has shown.
  private interface Telling {
    String tell(Job job, long nanos);
  }

  private String run(
      String name, StreamApplication application, UnaryOperator<Surroundings> around, Telling told)
      throws IOException, InterruptedException, ExecutionException {
    JobConfig config =
        JobConfig.of(bootstrap)
            .withCommit(CommitConfig.defaults().withInterval(INTERVAL))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(StateConfig.in(state))
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withPlacement(PlacementConfig.defaults().withWorkers(PausesBenchmark.WORKERS));
    try (Job job = WrappedJob.start(application, config, around)) {
      Timed.between(job, 0, PausesBenchmark.PARTITIONS);
      long start = System.nanoTime();
      awaitEnd(job);
      String result = told.tell(job, System.nanoTime() - start);
      if (!job.stop(PATIENCE)) {
        throw new IllegalStateException("The job did not commit within " + PATIENCE);
      }
      return result;
    } finally {
      Directories.delete(state);
      Producing.deleteTopics(bootstrap, name + "-");
    }
  }

  /// Waits until nothing is left to be processed: records that are processed again count again, so
  /// their number does not tell.
  private static void awaitEnd(Job job) throws InterruptedException {
    while (!job.metrics().progress().stream().allMatch(task -> task.lag() == 0)) {
      JobFailure failure = job.failure();
      if (failure != null) {
        throw new IllegalStateException(failure.message());
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
