package dev.millrace.benchmarks.containers;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;

/// The process of one container, started as a user starts it. SIGTERM stops it in order.
public final class ContainerMain {
  private static final Duration STOP = Duration.ofSeconds(30);

  private ContainerMain() {}

  /// @param args address of Kafka, directory for state, workers, standbys, memory budget in bytes,
  ///   milliseconds between commits
  public static void main(String[] args) throws InterruptedException {
    Parent.endWithIt();
    Duration interval = Duration.ofMillis(Long.parseLong(args[5]));
    Job job =
        Millrace.start(
            new CountedEvents(),
            JobConfig.of(args[0])
                .withState(StateConfig.in(Path.of(args[1])))
                .withMemory(MemoryConfig.of(Long.parseLong(args[4])))
                .withCommit(
                    CommitConfig.defaults().withInterval(interval).withLatencyTarget(interval))
                .withPlacement(
                    PlacementConfig.defaults()
                        .withWorkers(Integer.parseInt(args[2]))
                        .withStandbys(Integer.parseInt(args[3]))));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(job), "stop"));
    Parent.tell("started", System.currentTimeMillis());
    job.await();
    JobFailure failure = job.failure();
    if (failure != null) {
      System.err.println(failure.message());
      System.exit(failure.exitCode());
    }
  }

  private static void stop(Job job) {
    try {
      if (!job.stop(STOP)) {
        System.err.println("The job was not stopped within " + STOP);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
