package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import java.util.function.UnaryOperator;

/// Starts jobs as [Millrace] does, with a test between the engine and its log and disks.
public final class WrappedJob {
  private WrappedJob() {}

  public static Job start(
      StreamApplication application, JobConfig config, UnaryOperator<Surroundings> around) {
    return Millrace.start(application, config, around);
  }
}
