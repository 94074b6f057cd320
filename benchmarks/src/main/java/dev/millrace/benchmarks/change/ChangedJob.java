package dev.millrace.benchmarks.change;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;

/// A process with a container of one of the programs, started as a user starts it. It tells its
/// parent `compared`, the microseconds in which it read the recorded plan and compared its own with
/// it; `rollout`: 1 from the start on while it writes for the version before, and then 0; and
/// `migrating`: 1 as long as its tasks have values to migrate, or may have, and then 0.
public final class ChangedJob {
  private static final Duration STOP = Duration.ofSeconds(30);

  /// As rarely as is exact enough, since it takes time of the job's processors.
  private static final long LOOK_MILLIS = 100;

  private ChangedJob() {}

  /// @param args class of the program, address of Kafka, directory for state, workers, the change
  ///   that is accepted or an empty text
  public static void main(String[] args) throws InterruptedException, ReflectiveOperationException {
    Parent.tell("main", System.currentTimeMillis());
    Parent.endWithIt();
    StreamApplication program =
        Class.forName(args[0])
            .asSubclass(StreamApplication.class)
            .getDeclaredConstructor()
            .newInstance();
    JobConfig config =
        JobConfig.of(args[1])
            .withState(StateConfig.in(Path.of(args[2])))
            .withPlacement(PlacementConfig.defaults().withWorkers(Integer.parseInt(args[3])))
            .withChange(ChangeConfig.defaults().withAccept(args[4]));
    Job job = Millrace.start(program, config);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(job), "stop"));
    Parent.tell("compared", ComparisonMeter.micros(job));
    tell(job, "rollout", "millrace_rollout_open");
    tell(job, "migrating", "millrace_migration_running");
    job.await();
    JobFailure failure = job.failure();
    if (failure != null) {
      System.err.println(failure.message());
      System.exit(failure.exitCode());
    }
  }

  private static void tell(Job job, String name, String metric) {
    Thread.ofPlatform().daemon().name(name).start(() -> watch(job, name, metric));
  }

  /// Tells a metric at once and when it has become 0, which is the end.
  private static void watch(Job job, String name, String metric) {
    try {
      long value = value(job, metric);
      Parent.tell(name, value);
      while (value != 0) {
        Thread.sleep(LOOK_MILLIS);
        value = value(job, metric);
      }
      Parent.tell(name, value);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static long value(Job job, String metric) {
    return job.metrics().families().stream()
        .filter(each -> each.name().equals(metric))
        .flatMap(each -> each.points().stream())
        .mapToLong(each -> (long) each.value())
        .sum();
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
