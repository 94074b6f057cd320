package dev.millrace;

import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.Deployment;
import dev.millrace.internal.engine.versions.Program;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks that a plan fits the state of the application, and records it for the next start. Waits
/// for the log.
final class JobVersions implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(1);

  private static final Logger LOG = LoggerFactory.getLogger(JobVersions.class);

  private final VersionLog versions;
  private final Planned planned;
  private final ApplicationName application;
  private final String topic;

  /// @param named the application, with what is recorded of it
  /// @param planner gives the plan that is to run, from the one that was recorded before it; null
  ///   if there is none
  JobVersions(
      Log log,
      ApplicationNames.Found named,
      Function<@Nullable PlanDescription, Plan> planner,
      String accepted) {
    application = named.application();
    planned = new Planned(planner);
    topic = VersionLog.topic(application.storage()).name();
    versions = new VersionLog(named, planned, accepted, log, Clock.system());
  }

  /// Makes plans; keeps the last one, as a start asks for the same several times.
  private static final class Planned implements Program {
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
    public List<String> unreadable(PlanDescription before, PlanDescription older) {
      return after(before).writingFor(older).written().obstacles();
    }

    @Override
    public PlanDiff diff(PlanDescription before, PlanDescription now) {
      return PlanDiff.between(before, now, Formats.of(after(before)));
    }
  }

  /// Returns the plan that is to run, over the state of those before it as far as they were read,
  /// from where a person has said that the application begins.
  Plan plan() {
    Plan plan =
        planned
            .after(versions.before())
            .after(versions.versions())
            .withStarts(versions.start().positions());
    PlanDescription older = versions.writesFor();
    return older == null ? plan : plan.writingFor(older);
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

  /// Returns whether the plan has more tasks than the one before it, if there is one.
  boolean hasMoreTasks() {
    PlanDescription before = versions.before();
    return before != null && plan().slots() > before.slots();
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

  /// Says in the log whether a change is being rolled out, and what that means for this process.
  void sayDeployment() {
    Deployment open = versions.deployment();
    if (open == null) {
      return;
    }
    if (versions.isFormer()) {
      LOG.info(
          "A change of '{}' is being rolled out since {}; this process runs the version before it.",
          application.name(),
          Instant.ofEpochMilli(open.sinceMillis()));
    } else {
      LOG.info(
          "A change of '{}' is being rolled out since {}: values are written so that the version"
              + " before it can read them. When all containers run this version and you will not"
              + " roll back, run 'millrace deploy finalize {}'.",
          application.name(),
          Instant.ofEpochMilli(open.sinceMillis()),
          application.name());
    }
  }

  /// Returns what the plan before could not read of what this one writes; see
  /// [VersionLog#unreadable].
  List<String> unreadable() {
    return versions.unreadable();
  }

  /// Returns the application with what is recorded of it by now, as far as it was read.
  ApplicationNames.Found known() {
    return versions.known();
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
