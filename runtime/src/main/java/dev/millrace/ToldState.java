package dev.millrace;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.StateReport;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells in the log how large the state is, for those who ask while nothing runs. Only a process
/// that has all tasks knows it. Used by the control thread.
final class ToldState {
  private static final Logger LOG = LoggerFactory.getLogger(ToldState.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(2);

  private final String application;
  private final int tasks;
  private final int workers;
  private final Log log;
  private final Clock clock;

  /// @param tasks how many the application has
  ToldState(String application, int tasks, int workers, Log log, Clock clock) {
    this.application = application;
    this.tasks = tasks;
    this.workers = workers;
    this.log = log;
    this.clock = clock;
  }

  /// Tells it, if it is known. Waits for the log at most a few seconds.
  void tell(Engine engine) {
    StateReport report =
        engine.taskMetrics().size() == tasks
            ? StateReport.of(Placement.single(workers), engine.taskMetrics().values())
            : null;
    if (report == null) {
      return;
    }
    Split split = new Split(ContainerLease.topic(application).name(), 0);
    try (TransactionalWriter writer = log.writer(application + "@state", PATIENCE)) {
      writer.open();
      writer.sendOutside(split, report.record(split, Math.max(0, clock.millis())));
      writer.commit();
      long begunNanos = clock.nanos();
      while (writer.outcome() == TransactionalWriter.Outcome.PENDING
          && clock.nanos() - begunNanos < PATIENCE.toNanos()) {
        LockSupport.parkNanos(LOOK.toNanos());
      }
    } catch (LogException e) {
      LOG.debug("The size of the state cannot be told now.", e);
    }
  }
}
