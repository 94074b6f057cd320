package dev.millrace;

import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Checks that a plan fits the state of the application, and records it for the next start. Waits
/// for the log.
final class JobVersions implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(1);

  private final VersionLog versions;
  private final Planned planned;
  private final String topic;

  /// @param planner gives the plan that is to run, from the one that was recorded before it; null
  ///   if there is none
  JobVersions(
      Log log,
      ApplicationName application,
      Function<@Nullable PlanDescription, Plan> planner,
      String accepted) {
    planned = new Planned(planner);
    topic = VersionLog.topic(application.storage()).name();
    versions = new VersionLog(application, planned, accepted, log, new SystemClock());
  }

  /// Makes plans; keeps the last one, as a start asks for the same several times.
  private static final class Planned implements VersionLog.Program {
    private final Function<@Nullable PlanDescription, Plan> planner;
    private @Nullable PlanDescription lastBefore;
    private @Nullable Plan last;

    Planned(Function<@Nullable PlanDescription, Plan> planner) {
      this.planner = planner;
    }

    Plan after(@Nullable PlanDescription before) {
      Plan known = last;
      if (known == null || !Objects.equals(before, lastBefore)) {
        known = planner.apply(before);
        last = known;
        lastBefore = before;
      }
      return known;
    }

    @Override
    public PlanDescription plan(@Nullable PlanDescription before) {
      return after(before).description();
    }

    @Override
    public PlanDiff diff(PlanDescription before, PlanDescription now) {
      return PlanDiff.between(before, now, Formats.of(after(before)));
    }
  }

  /// Returns the plan that is to run, over the state of those before it as far as they were read,
  /// from where a person has said that the application begins.
  Plan plan() {
    return planned
        .after(versions.before())
        .after(versions.versions())
        .withStarts(versions.start().positions());
  }

  /// Makes the plan and compares it with the one that was recorded last, in the topic, which must
  /// exist.
  ///
  /// @throws dev.millrace.internal.engine.versions.PlanRefusedException if it does not fit that
  ///   plan
  void check() {
    stepUntil(VersionLog.State.CHECKED);
  }

  /// Returns whether no plan was recorded.
  boolean isFirst() {
    return versions.before() == null;
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
