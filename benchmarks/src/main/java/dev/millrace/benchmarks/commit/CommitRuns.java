package dev.millrace.benchmarks.commit;

import dev.millrace.Job;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.benchmarks.recovery.PaddedCounts;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;

/// The process in which variants of a job run one after the other over the same topic, warm.
final class CommitRuns {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final long MEMORY_BYTES = 640L << 20;

  private final String bootstrap;
  private final String topic;
  private final Path state;
  private final long records;
  private final boolean padded;
  private int jobs;

  private CommitRuns(String bootstrap, String topic, Path state, long records, boolean padded) {
    this.bootstrap = bootstrap;
    this.topic = topic;
    this.state = state;
    this.records = records;
    this.padded = padded;
  }

  /// Tells each run under its number: variant, records a second, CPU seconds a million.
  ///
  /// @param args address of Kafka, topic, directory for state, records of the topic, rounds,
  ///   whether a key's state has 100 bytes, variants
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Parent.endWithIt();
    CommitRuns runs =
        new CommitRuns(
            args[0],
            args[1],
            Path.of(args[2]),
            Long.parseLong(args[3]),
            Boolean.parseBoolean(args[5]));
    List<Variant> order = Arrays.stream(args).skip(6).map(Variant::valueOf).toList();
    for (Variant variant : order) {
      runs.run(variant);
    }
    int told = 0;
    for (int round = 0; round < Integer.parseInt(args[4]); round++) {
      // What drifts hits the first as often as the last.
      for (Variant variant : round % 2 == 0 ? order : order.reversed()) {
        Timed timed = runs.run(variant);
        Parent.tell(
            "run-" + told++,
            variant.name() + " " + timed.perSecond() + " " + timed.cpuSecondsPerMillion());
      }
    }
    System.exit(0);
  }

  private Timed run(Variant variant) throws IOException, InterruptedException, ExecutionException {
    String name = topic + "-" + jobs++;
    JobConfig config =
        JobConfig.of(bootstrap)
            .withCommit(
                CommitConfig.defaults()
                    .withInterval(INTERVAL)
                    .withLatencyTarget(INTERVAL)
                    .withGuarantee(variant.guarantee()))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(StateConfig.in(state))
            .withInput(InputConfig.defaults().withStart(Start.earliest()));
    UnaryOperator<Surroundings> around =
        variant.changelog()
            ? UnaryOperator.identity()
            : seen -> WithoutChangelog.around(seen, name + "-changelog");
    StreamApplication counts = padded ? new PaddedCounts(name, topic) : new Counts(name, topic);
    try (Job job = WrappedJob.start(counts, config, around)) {
      return Timed.watch(job, records);
    } finally {
      Directories.delete(state);
      Producing.deleteTopics(bootstrap, name + "-");
    }
  }
}
