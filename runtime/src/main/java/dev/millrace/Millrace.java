package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.runtime.Around;
import java.util.List;
import java.util.function.UnaryOperator;

/// The door: starts applications.
public final class Millrace {
  private Millrace() {}

  /// Runs an application as the business of this process: for `main`.
  ///
  /// The configuration is read from `millrace.yaml`, the environment and the arguments; `--help`
  /// tells how. Returns when the job's bounded input has ended. SIGTERM and SIGINT have the job
  /// commit and end the process with status 0, or, if that takes longer than `stop.timeout`, with
  /// 5. Whatever else ends the job is said on standard error in plain words and ends the process
  /// with one of [ExitCode].
  public static void run(StreamApplication application, String... arguments) {
    int status =
        new Launch(application, System.out, System.err).run(List.of(arguments), System.getenv());
    if (status != ExitCode.DONE) {
      System.exit(status);
    }
  }

  /// Starts an application in this process and returns at once. Nothing is read from outside; what
  /// can go wrong at the start is told by [Job#failure].
  public static Job start(StreamApplication application, JobConfig config) {
    return start(application, config, Around.engine());
  }

  /// Starts an application whose engine sees its log, disks and clock through something in between.
  /// For tests and benchmarks that count, hold up or leave out what goes there.
  ///
  /// @param around is given what the engine would run on, and returns what it runs on
  static Job start(
      StreamApplication application, JobConfig config, UnaryOperator<Surroundings> around) {
    Job job = new Job(application, config, around);
    job.begin();
    return job;
  }
}
