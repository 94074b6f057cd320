package dev.millrace.benchmarks.recovery;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.JobMetrics;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// A process that runs some containers of the job, and tells its parent how far they are: when it
/// reached `main`, when each container had processed its first record, and what was replayed.
public final class Containers {
  private static final long LOOK_MILLIS = 1;

  /// Sixteen containers that commit ten times a second would keep two cores busy with that alone.
  private static final CommitConfig COMMITS =
      CommitConfig.defaults().withInterval(Duration.ofSeconds(1));

  private Containers() {}

  /// @param args name of the application, topic, address of Kafka, directory for state, how many
  ///   containers this process is, workers of each, memory budget of each in bytes
  public static void main(String[] args) throws InterruptedException {
    Parent.tell("main", System.currentTimeMillis());
    Parent.endWithIt();
    ReplayMeter meter = new ReplayMeter(args[0] + "-changelog");
    List<Job> jobs = new ArrayList<>();
    for (int left = Integer.parseInt(args[4]); left > 0; left--) {
      jobs.add(
          WrappedJob.start(
              new PaddedCounts(args[0], args[1]),
              JobConfig.of(args[2])
                  .withCommit(COMMITS)
                  .withMemory(MemoryConfig.of(Long.parseLong(args[6])))
                  .withState(StateConfig.in(Path.of(args[3])))
                  .withInput(InputConfig.defaults().withStart(Start.earliest()))
                  .withPlacement(PlacementConfig.defaults().withWorkers(Integer.parseInt(args[5]))),
              meter::around));
    }
    watch(jobs, meter);
  }

  private static void watch(List<Job> jobs, ReplayMeter meter) throws InterruptedException {
    boolean first = false;
    while (true) {
      for (Job job : jobs) {
        JobFailure failure = job.failure();
        if (failure != null) {
          System.err.println(failure.message());
          System.exit(1);
        }
      }
      if (!first && jobs.stream().allMatch(job -> job.metrics().processed() > 0)) {
        first = true;
        Parent.tell("replayed", meter.bytes());
        Parent.tell("flushed", flushed(meter));
        Parent.tell("restored", sum(jobs, JobMetrics::restored));
        Parent.tell("restore", millis(jobs, JobMetrics::lastRestore));
        Parent.tell("first", System.currentTimeMillis());
      }
      if (first) {
        Parent.tell("flushes", sum(jobs, JobMetrics::flushes));
        Parent.tell("predicted", millis(jobs, JobMetrics::predictedRecovery));
        Parent.tell("processed", sum(jobs, JobMetrics::processed));
      }
      Thread.sleep(first ? 50 : LOOK_MILLIS);
    }
  }

  /// Such as `0-3=17,0-4=20,`.
  private static String flushed(ReplayMeter meter) {
    StringBuilder text = new StringBuilder();
    meter
        .flushed()
        .forEach((task, offset) -> text.append(task).append('=').append(offset).append(','));
    return text.toString();
  }

  private static long millis(List<Job> jobs, Function<JobMetrics, Duration> value) {
    return jobs.stream().mapToLong(job -> value.apply(job.metrics()).toMillis()).max().orElse(0);
  }

  private static long sum(List<Job> jobs, ToLongFunction<JobMetrics> value) {
    return jobs.stream().map(Job::metrics).mapToLong(value).sum();
  }
}
