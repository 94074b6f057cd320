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
///
/// Where nothing has changed since the last barrier there is nothing to hurry for. What has to be
/// told nevertheless, such as positions that were kept back, goes with a commit at the interval; if
/// there is nothing of that either, a commit comes once a second, for what only commits look at.
final class CommitPace {
  /// How many commits an average is of, about.
  private static final int SMOOTH = 8;

  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

  private final long intervalNanos;
  private final long targetNanos;

  /// Of a commit with records in it; 0 as long as there was none.
  private long averageNanos;

  private boolean behind;

  /// Whether anything has changed since the last barrier, as far as is known.
  private boolean changed = true;

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

  /// Something has changed that is to be committed.
  void changed() {
    changed = true;
  }

  /// The barrier of a commit goes out: it takes all that has changed.
  void barrier() {
    changed = false;
  }

  /// @param owes whether something is to be told that has not changed
  long pauseNanos(boolean owes) {
    if (!changed) {
      return owes ? intervalNanos : Math.max(intervalNanos, QUIET_NANOS);
    }
    if (behind) {
      return intervalNanos;
    }
    return Math.min(intervalNanos, Math.max(targetNanos - 2 * averageNanos, averageNanos));
  }
}
