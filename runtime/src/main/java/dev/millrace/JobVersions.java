package dev.millrace;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.versions.GivenStart;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;

/// Checks that a plan fits the state of the application, and records it for the next start. Waits
/// for the log.
final class JobVersions implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final VersionLog versions;
  private final String topic;

  JobVersions(Log log, Plan plan, String accepted) {
    topic = VersionLog.topic(plan.application()).name();
    versions =
        new VersionLog(plan.application(), plan.description(), accepted, log, new SystemClock());
  }

  /// Compares the plan with the one that was recorded last, in the topic, which must exist.
  ///
  /// @throws dev.millrace.internal.engine.versions.PlanRefusedException if it does not fit that
  ///   plan
  void check() {
    stepUntil(VersionLog.State.CHECKED);
  }

  /// Returns the start that was given for the application, as read by [#check].
  GivenStart start() {
    return versions.start();
  }

  /// Returns the inputs of the plan that the plan before did not have, if the plans were compared.
  SortedSet<String> newInputs() {
    return versions.newInputs();
  }

  /// Records the plan, unless it is what was recorded last. The topic must exist.
  ///
  /// @throws dev.millrace.internal.engine.versions.PlanRefusedException if another process recorded
  ///   one meanwhile that it does not fit
  void record() {
    if (!versions.isRecorded()) {
      versions.propose();
      stepUntil(VersionLog.State.RECORDED);
    }
  }

  private void stepUntil(VersionLog.State wanted) {
    long begunNanos = System.nanoTime();
    versions.step();
    while (versions.state() != wanted) {
      if (Thread.currentThread().isInterrupted()
          || System.nanoTime() - begunNanos > PATIENCE.toNanos()) {
        throw new LogException(
            LogException.Kind.UNAVAILABLE,
            "The record of the application's plans in topic '%s' could not be read or written within %d s."
                .formatted(topic, PATIENCE.toSeconds()));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      versions.step();
    }
  }

  @Override
  public void close() {
    versions.close();
  }
}
