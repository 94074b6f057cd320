package dev.millrace.internal.engine.versions;

import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Ends changes that are being rolled out: finalizes them, or returns to the plan before.
///
/// It opens the one writer there is of the topic with an application's plans, which bars whoever
/// else was about to write, reads what was recorded, and writes one transaction. Waits for the log.
public final class Deployments {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ApplicationName application;
  private final Log log;
  private final Clock clock;
  private final Runnable pause;
  private final Split split;

  /// @param pause between two looks
  public Deployments(ApplicationName application, Log log, Clock clock, Runnable pause) {
    this.application = application;
    this.log = log;
    this.clock = clock;
    this.pause = pause;
    split = new Split(VersionLog.topic(application.storage()).name(), 0);
  }

  /// Returns what is recorded by now.
  ///
  /// @throws PlanRefusedException if it cannot be read here
  public Recorded recorded() {
    return VersionLog.recorded(application.storage(), log, clock, pause);
  }

  private Recorded recordedLast() {
    return VersionLog.recordedLast(application.storage(), log, clock, pause);
  }

  /// Ends a change that is being rolled out: from their next look on, containers write the formats
  /// of their own plan, and the plan before it cannot be returned to.
  ///
  /// Before it asks whether that may be done, it records that it is about to do it: no process with
  /// the plan before it starts from then on, so that none is missed. If it is broken off there, it
  /// can be called again.
  ///
  /// @param open what was looked at before; if another one is open meanwhile, nothing is done
  /// @param mayFinish whether no container runs another plan than the current one, which it is
  ///   given
  /// @return whether the change was finalized
  public boolean finish(Deployment open, Predicate<PlanDescription> mayFinish) {
    try (TransactionalWriter writer = VersionLog.writer(log, application.storage())) {
      writer.open();
      Recorded found = recordedLast();
      Deployment last = found.deployment();
      if (last == null || !last.closing(false).equals(open.closing(false))) {
        return false;
      }
      if (!write(writer, last.closing(true))) {
        return false;
      }
      boolean may = mayFinish.test(Objects.requireNonNull(found.plan()));
      boolean written = write(writer, may ? null : last.closing(false));
      return may && written;
    }
  }

  private boolean write(TransactionalWriter writer, @Nullable Deployment deployment) {
    writer.send(split, Recorded.record(split, deployment, clock.millis()));
    return commit(writer);
  }

  /// Returns to the plan before the change that is being rolled out: programs with that plan are
  /// those that go on, and what the change added is parked.
  ///
  /// @param open what was looked at before; if another one is open meanwhile, nothing is done
  /// @return whether the plan was returned to, by this call or by another one
  public boolean rollBack(Deployment open) {
    try (TransactionalWriter writer = VersionLog.writer(log, application.storage())) {
      writer.open();
      Recorded found = recordedLast();
      Deployment last = found.deployment();
      if (last == null || !last.closing(false).equals(open.closing(false))) {
        return false;
      }
      PlanDescription current = Objects.requireNonNull(found.plan());
      PlanDescription former = found.former();
      if (former == null) {
        throw new PlanRefusedException(
            "The plan %s of application '%s', which would be returned to, is not recorded any more."
                .formatted(open.from(), application.name()));
      }
      PlanDescription returned = former.returnedTo(current);
      writer.send(split, Recorded.record(split, returned, clock.millis()));
      writer.send(split, Recorded.record(split, (Deployment) null, clock.millis()));
      return commit(writer) || returned.equals(recordedLast().plan());
    }
  }

  /// Returns whether what was sent is certainly committed.
  private boolean commit(TransactionalWriter writer) {
    writer.commit();
    long begunNanos = clock.nanos();
    Outcome outcome = writer.outcome();
    while (outcome == Outcome.PENDING) {
      if (clock.nanos() - begunNanos > PATIENCE.toNanos()) {
        throw new LogException(
            LogException.Kind.UNAVAILABLE,
            "%s could not be written within %d s.".formatted(split, PATIENCE.toSeconds()));
      }
      pause.run();
      outcome = writer.outcome();
    }
    return outcome == Outcome.COMMITTED;
  }
}
