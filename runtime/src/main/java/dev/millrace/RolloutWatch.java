package dev.millrace;

import dev.millrace.MetricFamily.Kind;
import dev.millrace.MetricFamily.Point;
import dev.millrace.internal.engine.plan.Finalization;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches a change that is being rolled out: when it is finalized, this process writes the formats
/// of its own plan. What is recorded is read on a separate thread, so that no other thread waits
/// for the log.
final class RolloutWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutWatch.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final String application;
  private final PlanDescription own;
  private final Finalization finalization;
  private final Supplier<Recorded> recorded;
  private final boolean writesOlder;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile boolean over;
  private long notBeforeNanos = System.nanoTime();

  /// @param own the plan of this process
  /// @param open whether a change is being rolled out to this plan
  /// @param recorded reads the plans of the application from the log
  RolloutWatch(
      String application,
      PlanDescription own,
      Finalization finalization,
      boolean open,
      Supplier<Recorded> recorded) {
    this.application = application;
    this.own = own;
    this.finalization = finalization;
    this.recorded = recorded;
    writesOlder = open;
    over = !open;
  }

  /// Begins to look, if there is something to look for and the last look was some time ago. Called
  /// by one thread.
  void look() {
    if (!over && System.nanoTime() - notBeforeNanos >= 0 && underWay.compareAndSet(false, true)) {
      notBeforeNanos = System.nanoTime() + PERIOD.toNanos();
      Thread.ofVirtual().name("millrace-rollout").start(this::ask);
    }
  }

  private void ask() {
    try {
      judge(recorded.get());
    } catch (LogException e) {
      LOG.debug("The plans of '{}' cannot be read from Kafka now.", application, e);
    } catch (RuntimeException e) { // outermost: the end of a thread
      if (!over) {
        LOG.warn("The plans of '{}' cannot be read from Kafka.", application, e);
      }
    } finally {
      underWay.set(false);
    }
  }

  private void judge(Recorded found) {
    if (!own.equals(found.plan())) {
      over = true;
      LOG.warn(
          "Plan {} of '{}' was recorded in place of {}, which this process runs. It goes on, and"
              + " writes what the version before can read.",
          found.plan() == null ? "none" : found.plan().hash(),
          application,
          own.hash());
    } else if (found.deployment() == null) {
      over = true;
      finalization.finish();
      LOG.info(
          "The change of '{}' is finalized: values are written in the formats of this version.",
          application);
    }
  }

  /// Returns whether values are written for the version before. Thread-safe.
  MetricFamily family() {
    boolean open = writesOlder && !finalization.isDone();
    return new MetricFamily(
        "millrace_rollout_open",
        Kind.GAUGE,
        "1 while values are written so that the version of the program before this one can read"
            + " them, until 'millrace deploy finalize'; otherwise 0.",
        List.of(new Point(Map.of(), open ? 1 : 0)));
  }

  /// Ends the watch. Answers of pending requests are ignored.
  @Override
  public void close() {
    over = true;
  }
}
