package dev.millrace;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.StateReport;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells in the log how large the state is, for those who ask while nothing runs. Only a process
/// that has all tasks knows it. Used by the control thread.
final class ToldState implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ToldState.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(2);

  private final String application;
  private final int tasks;
  private final int workers;
  private final Log log;
  private final Clock clock;
  private @Nullable Thread telling;

  /// @param tasks how many the application has
  ToldState(String application, int tasks, int workers, Log log, Clock clock) {
    this.application = application;
    this.tasks = tasks;
    this.workers = workers;
    this.log = log;
    this.clock = clock;
  }

  /// Begins to tell it, if it is known and the last time is over. Waits for nothing.
  void tell(Engine engine) {
    Collection<TaskMetrics> metrics = engine.taskMetrics().values();
    StateReport report =
        metrics.size() == tasks ? StateReport.of(Placement.single(workers), metrics) : null;
    Thread before = telling;
    if (report != null && (before == null || !before.isAlive())) {
      telling = Thread.ofVirtual().name("millrace-state").start(() -> write(report));
    }
  }

  private void write(StateReport report) {
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
    } catch (RuntimeException e) { // outermost: the end of a thread
      LOG.warn("The size of the state was not told.", e);
    }
  }

  /// Waits a moment for what is being told.
  @Override
  public void close() {
    Thread last = telling;
    try {
      if (last != null && !last.join(PATIENCE)) {
        LOG.debug("The size of the state is not told yet, because Kafka does not answer.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
