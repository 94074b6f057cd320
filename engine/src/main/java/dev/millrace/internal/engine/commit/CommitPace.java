package dev.millrace.internal.engine.commit;

import java.time.Duration;

/// How long a commit group waits between the end of a commit and the begin of the next one.
///
/// A record that comes right behind a barrier waits for the end of that commit, for the pause, and
/// for its own commit. So the pause is what the target leaves beside two commits, as long as they
/// took lately. It is never shorter than a commit, or a log that is slow would be given nothing but
/// commits to do, and never longer than the interval.
///
/// Who is far behind its input gains nothing by it: there records wait for those before them. Then
/// the pause is the interval, and commits take as little as they can from the processing.
final class CommitPace {
  /// How many commits an average is of, about.
  private static final int SMOOTH = 8;

  private final long intervalNanos;
  private final long targetNanos;

  /// Of a commit with records in it; 0 as long as there was none.
  private long averageNanos;

  private boolean behind;

  /// @param interval the longest pause
  /// @param target from a record's arrival to the end of its commit
  CommitPace(Duration interval, Duration target) {
    intervalNanos = interval.toNanos();
    targetNanos = target.toNanos();
  }

  /// Another commit has ended.
  ///
  /// @param nanos since its barrier
  void committed(long nanos) {
    averageNanos =
        averageNanos == 0 ? nanos : averageNanos + Math.floorDiv(nanos - averageNanos, SMOOTH);
  }

  /// Whether the group is far behind its input.
  void behind(boolean now) {
    behind = now;
  }

  long pauseNanos() {
    if (behind) {
      return intervalNanos;
    }
    return Math.min(intervalNanos, Math.max(targetNanos - 2 * averageNanos, averageNanos));
  }
}
