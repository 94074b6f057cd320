package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.spi.Clock;
import org.jspecify.annotations.Nullable;

/// How fast a worker migrates values: [StateSizes#MIGRATED_BYTES_PER_SECOND], if a twentieth of its
/// time is enough for that, in pieces after commits, and none of them so long that records wait for
/// it noticeably. One task at a time migrates.
final class MigrationPace {
  private static final int SHARE = 20;
  private static final long MOST_NANOS = 50_000_000;
  private static final double NANOS = 1e9;

  private final Clock clock;
  private long publishedNanos;
  private long leftNanos;

  /// Negative where a step took more than there was.
  private long leftBytes;

  private @Nullable TaskMigration turn;

  MigrationPace(Clock clock) {
    this.clock = clock;
    publishedNanos = clock.nanos();
  }

  /// A commit of the worker's tasks is acknowledged.
  void published() {
    long now = clock.nanos();
    leftNanos = Math.min((now - publishedNanos) / SHARE, MOST_NANOS);
    double bytes = (now - publishedNanos) / NANOS * StateSizes.MIGRATED_BYTES_PER_SECOND;
    leftBytes = Math.min(leftBytes + Math.round(bytes), StateSizes.MIGRATED_BYTES_PER_SECOND);
    publishedNanos = now;
  }

  /// Returns how much time is left until the next commit.
  long leftNanos() {
    return leftNanos;
  }

  /// Returns how many bytes are left until the next commit; 0 or less if none are.
  long leftBytes() {
    return leftBytes;
  }

  /// Notes that so much of it was taken.
  void took(long nanos, long bytes) {
    leftNanos = Math.max(0, leftNanos - nanos);
    leftBytes -= bytes;
  }

  /// Returns whether it is a task's turn, which it is until it [#ended] if it is nobody else's.
  boolean isTurnOf(TaskMigration task) {
    if (turn == null) {
      turn = task;
    }
    return task.equals(turn);
  }

  /// A task needs its turn no more.
  void ended(TaskMigration task) {
    if (task.equals(turn)) {
      turn = null;
    }
  }
}
