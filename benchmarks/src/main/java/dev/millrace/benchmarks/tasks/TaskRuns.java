package dev.millrace.benchmarks.tasks;

import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.commit.Counts;
import dev.millrace.benchmarks.commit.Timed;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;

/// The process in which jobs that differ in their number of tasks run one after the other, warm.
final class TaskRuns {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /// Of the records, before the measurement begins: every task is at work by then.
  private static final double WARM_SHARE = 0.2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MEMORY_BYTES = 640L << 20;

  private final String bootstrap;
  private final Path state;
  private final DataPlane plane;
  private final long records;
  private int jobs;

  private TaskRuns(String bootstrap, Path state, DataPlane plane, long records) {
    this.bootstrap = bootstrap;
    this.state = state;
    this.plane = plane;
    this.records = records;
  }

  /// Tells each run under its number: topic, records a second, CPU seconds a million, milliseconds
  /// to the first record and of the end. What runs before the first round warms up.
  ///
  /// @param args address of Kafka, directory for state, data plane, records of each topic, rounds,
  ///   topics
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Parent.endWithIt();
    TaskRuns runs =
        new TaskRuns(
            args[0], Path.of(args[1]), DataPlane.valueOf(args[2]), Long.parseLong(args[3]));
    List<String> topics = Arrays.stream(args).skip(5).toList();
    for (String topic : topics) {
      runs.run(topic);
    }
    int told = 0;
    for (int round = 0; round < Integer.parseInt(args[4]); round++) {
      // What drifts hits the first as often as the last.
      for (String topic : round % 2 == 0 ? topics : topics.reversed()) {
        Parent.tell("run-" + told++, topic + " " + runs.run(topic));
      }
    }
    System.exit(0);
  }

  private String run(String topic) throws IOException, InterruptedException, ExecutionException {
    String name = topic + "-" + jobs++;
    JobConfig config =
        JobConfig.defaults()
            .withKafka(KafkaConfig.of(bootstrap).withDataPlane(plane))
            .withCommit(CommitConfig.defaults().withInterval(INTERVAL))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(StateConfig.in(state))
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withPlacement(PlacementConfig.defaults().withWorkers(TasksBenchmark.WORKERS));
    try (Job job = Millrace.start(new Counts(name, topic), config)) {
      long start = Timed.between(job, 0, 1).nanos();
      Timed timed = Timed.between(job, (long) (records * WARM_SHARE), records);
      long stopped = System.nanoTime();
      if (!job.stop(PATIENCE)) {
        throw new IllegalStateException("The job did not commit within " + PATIENCE);
      }
      return "%s %s %d %d"
          .formatted(
              timed.perSecond(),
              timed.cpuSecondsPerMillion(),
              start / 1_000_000,
              (System.nanoTime() - stopped) / 1_000_000);
    } finally {
      Directories.delete(state);
      Producing.deleteTopics(bootstrap, name + "-");
    }
  }
}
