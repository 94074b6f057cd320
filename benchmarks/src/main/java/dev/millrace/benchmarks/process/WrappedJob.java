package dev.millrace.benchmarks.process;

import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.runtime.Around;
import java.util.function.UnaryOperator;

/// Starts jobs as [Millrace] does, with a measurement between the engine and its log and disks.
public final class WrappedJob {
  private WrappedJob() {}

  /// Starts an application.
  ///
  /// @param around is given what the engine would run on, and returns what it runs on
  public static Job start(
      StreamApplication application, JobConfig config, UnaryOperator<Surroundings> around) {
    return Around.engine(around, () -> Millrace.start(application, config));
  }
}
