package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.runtime.Around;
import java.util.List;
import java.util.function.UnaryOperator;

/// Starts applications.
public final class Millrace {
  private Millrace() {}

  /// Runs an application in this process until it ends; for `main`.
  ///
  /// The configuration is read from `millrace.yaml`, the environment and the arguments; `--help`
  /// describes them. Returns when the job's bounded input has ended. On SIGTERM and SIGINT, the job
  /// commits and the process ends with status 0, or with 5 if that takes longer than
  /// `stop.timeout`. A failure is printed on standard error and ends the process with a code of
  /// [ExitCode].
  public static void run(StreamApplication application, String... arguments) {
    int status =
        new Launch(application, System.out, System.err).run(List.of(arguments), System.getenv());
    if (status != ExitCode.DONE) {
      System.exit(status);
    }
  }

  /// Starts an application in this process and returns at once. No file, variable or argument is
  /// read. A failure of the start is returned by [Job#failure].
  public static Job start(StreamApplication application, JobConfig config) {
    return start(application, config, Around.engine());
  }

  /// Starts an application whose log, disks and clock are wrapped. For tests and benchmarks that
  /// count, delay or drop calls to them.
  ///
  /// @param around receives the surroundings that the engine would run on, and returns those that
  ///   it runs on
  static Job start(
      StreamApplication application, JobConfig config, UnaryOperator<Surroundings> around) {
    Job job = new Job(application, config, around);
    job.begin();
    return job;
  }
}
