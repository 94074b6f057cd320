package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.WrittenFormats;
import dev.millrace.internal.engine.recovery.DurableState;
import dev.millrace.internal.state.MigrationSweep;
import dev.millrace.internal.state.StoreMigration;
import dev.millrace.spi.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Migrates the values of a task's stores that earlier versions of their serdes wrote, beside its
/// work, as soon as no older version of the application has to read what is written.
final class TaskMigration {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMigration.class);
  private static final double NANOS = 1e9;

  private final WrittenFormats written;
  private final Plan.TaskId task;
  private final MigrationSweep sweep;
  private final Clock clock;
  private final MigrationPace pace;
  private long begunNanos;
  private boolean begun;
  private boolean told;

  TaskMigration(WrittenFormats written, DurableState durable, Clock clock, MigrationPace pace) {
    this.written = written;
    task = durable.task();
    sweep = durable.state().migration();
    this.clock = clock;
    this.pace = pace;
  }

  /// Whether a commit is due only for it to go on.
  boolean isDue() {
    if (sweep.isOver()) {
      end();
      return false;
    }
    if (!written.isForOlder()) {
      sweep.begin();
    }
    return sweep.needsCommit() && (!sweep.isReading() || pace.isTurnOf(this));
  }

  /// Does what there is time for, after a commit.
  ///
  /// @return whether anything was changed
  boolean step() {
    if (!sweep.isReading()
        || pace.leftNanos() == 0
        || pace.leftBytes() <= 0
        || !pace.isTurnOf(this)) {
      return false;
    }
    long from = clock.nanos();
    long before = sweep.puts();
    long bytes = sweep.step(clock, pace.leftNanos(), pace.leftBytes());
    pace.took(clock.nanos() - from, bytes);
    boolean any = sweep.puts() > before;
    if (any && !begun) {
      begun = true;
      begunNanos = from;
      LOG.info(
          "Task {} has values that earlier versions wrote, and migrates them beside its work.",
          task);
    }
    sweep.takeFailures().forEach(failure -> LOG.warn("{}", failure));
    return any;
  }

  /// Says once that nothing is left to do.
  private void end() {
    pace.ended(this);
    if (begun && !told) {
      told = true;
      long values = sweep.progress().stream().mapToLong(StoreMigration::migrated).sum();
      long failed = sweep.progress().stream().mapToLong(StoreMigration::failed).sum();
      LOG.info(
          "Task {} has migrated its values: {} in {} seconds; {} could not be migrated and are as"
              + " they were.",
          task,
          values,
          Math.round((clock.nanos() - begunNanos) / NANOS),
          failed);
    }
  }

  /// The task is closed.
  void close() {
    pace.ended(this);
  }
}
