package dev.millrace;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.versions.GivenStart;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;

/// Sees to it that a plan goes on from the state that the application has, and that it is known to
/// the next start. Waits for the log.
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
  /// @throws dev.millrace.internal.engine.versions.PlanRefusedException if it does not go on from
  ///   that
  void check() {
    stepUntil(VersionLog.State.CHECKED);
  }

  /// Where the application was told to begin, as [#check] has read it.
  GivenStart start() {
    return versions.start();
  }

  /// What the plan reads and the one before did not, if that was compared.
  SortedSet<String> newInputs() {
    return versions.newInputs();
  }

  /// Records the plan, unless it is what was recorded last. The topic must exist.
  ///
  /// @throws dev.millrace.internal.engine.versions.PlanRefusedException if another process recorded
  ///   one meanwhile that it does not go on from
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
            "What is known of the application's plans could not be read or written in topic '%s' within %d s."
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
