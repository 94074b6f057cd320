package dev.millrace.internal.engine.loop;

import dev.millrace.internal.state.TaskState;

/// The time of a task's last commit, by which its values expire.
final class CommittedTime {
  /// The least step, in milliseconds, in which the time of a task without input moves.
  private static final long LEAST_STEP = 1_000;

  private final TaskState state;
  private long millis;

  CommittedTime(TaskState state) {
    this.state = state;
  }

  void come(long newMillis) {
    millis = newMillis;
    state.clock(newMillis);
  }

  /// Whether a commit is due for the sake of its time alone.
  boolean isDue(long now) {
    long shortest = state.shortestTimeToLiveMillis();
    return shortest > 0 && now - millis >= Math.max(LEAST_STEP, shortest / 8);
  }
}
