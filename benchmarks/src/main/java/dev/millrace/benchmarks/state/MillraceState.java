package dev.millrace.benchmarks.state;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.commit.WithoutChangelog;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.benchmarks.recovery.PaddedCounts;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A process that counts by key with a state larger than its cache.
final class MillraceState {
  /// Of a budget two sevenths are for objects.
  private static final int SEVENTHS = 7;

  private MillraceState() {}

  /// @param args address of Kafka, topic, directory for state, bytes of the cache, records that
  ///   fill the state, records to be measured, parts of them, whether there is a changelog
  public static void main(String[] args) throws InterruptedException {
    Parent.endWithIt();
    JobConfig config =
        JobConfig.of(args[0])
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofSeconds(1)))
            .withState(StateConfig.in(Path.of(args[2])))
            .withMemory(MemoryConfig.of(budget(Long.parseLong(args[3]))))
            .withInput(InputConfig.defaults().withStart(Start.earliest()));
    boolean changelog = Boolean.parseBoolean(args[7]);
    String name = changelog ? "large-logged" : "large";
    UnaryOperator<Surroundings> around =
        changelog
            ? UnaryOperator.identity()
            : seen -> WithoutChangelog.around(seen, name + "-changelog");
    try (Job job = WrappedJob.start(new PaddedCounts(name, args[1]), config, around)) {
      Segments.tell(
          () -> processed(job),
          Long.parseLong(args[4]),
          Long.parseLong(args[5]),
          Integer.parseInt(args[6]));
    }
    System.exit(0);
  }

  /// All memory of a job whose cache has a size.
  static long budget(long cacheBytes) {
    return cacheBytes * SEVENTHS / 2;
  }

  private static long processed(Job job) {
    JobFailure failure = job.failure();
    if (failure != null) {
      throw new IllegalStateException(failure.message());
    }
    return job.metrics().processed();
  }
}
