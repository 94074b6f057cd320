package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.TaskProgress;
import dev.millrace.config.JobConfig;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.flights.Flight;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/// Runs the flights' job to its end and shows its metrics meanwhile.
final class DemoJob {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Instant first;
  private final Instant last;
  private final ProgressLine progress;
  private final long start = System.nanoTime();

  /// @param flights in order of their scheduled departure
  DemoJob(List<Flight> flights, ProgressLine progress) {
    first = flights.getFirst().scheduled();
    last = flights.getLast().scheduled();
    this.progress = progress;
  }

  void run(String bootstrap, Path stateDirectory) throws InterruptedException {
    JobConfig config = JobConfig.of(bootstrap).withState(StateConfig.in(stateDirectory));
    try (Job job = Millrace.start(new DelayedFlights(), config)) {
      Thread stopper = new Thread(() -> stop(job), "demo-stop");
      Runtime.getRuntime().addShutdownHook(stopper);
      while (!job.await(LOOK)) {
        if (job.state() == JobState.RUNNING) {
          progress.show(text(job));
        }
      }
      if (job.state() == JobState.COMPLETED) {
        Runtime.getRuntime().removeShutdownHook(stopper);
      }
      requireComplete(job);
      progress.end(
          String.format(
              Locale.ROOT,
              "Complete: %,d records read, %,d commits, in %s.",
              job.metrics().processed(),
              job.metrics().commits(),
              Elapsed.since(start)));
    }
  }

  private static void stop(Job job) {
    try {
      job.stop(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void requireComplete(Job job) {
    JobFailure failure = job.failure();
    if (failure != null) {
      throw new UserException(failure.exitCode(), failure.message());
    }
    if (job.state() != JobState.COMPLETED) {
      throw new UserException(
          ExitCode.DONE, "Stopped. The next 'millrace demo' continues from here.");
    }
  }

  private String text(Job job) {
    long watermark =
        job.metrics().progress().stream()
            .filter(task -> task.stage() == 0)
            .mapToLong(TaskProgress::watermark)
            .min()
            .orElse(Long.MIN_VALUE);
    Instant reached =
        Instant.ofEpochMilli(Math.clamp(watermark, first.toEpochMilli(), last.toEpochMilli()));
    double share =
        (double) Duration.between(first, reached).toSeconds()
            / Duration.between(first, last).toSeconds();
    return String.format(
        Locale.ROOT,
        "Running: flights up to %s (%.0f %%), %,d records read, %,d commits, %s",
        reached.atOffset(ZoneOffset.UTC).toLocalDate(),
        share * 100,
        job.metrics().processed(),
        job.metrics().commits(),
        Elapsed.since(start));
  }
}
