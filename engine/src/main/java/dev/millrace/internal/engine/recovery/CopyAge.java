package dev.millrace.internal.engine.recovery;

import java.time.Duration;

/// How long ago the copy of a task's state had all that was committed. It is known of a moment in
/// which the log was asked where the task's changelog ends, once it is replayed up to there. Used
/// by the thread of the [Follower].
final class CopyAge {
  private static final long UNKNOWN = -1;

  /// Where the changelog ended when it was asked for last, and when; [#UNKNOWN] if it was not.
  private long end = UNKNOWN;

  private long endNanos;
  private long currentNanos;
  private boolean known;
  private boolean needsEnd;

  /// Whether the log is to be asked where the changelog ends.
  boolean needsEnd() {
    return needsEnd;
  }

  /// The log was asked, and has answered.
  ///
  /// @param nowNanos before it was asked
  void ends(long newEnd, long nowNanos) {
    if (needsEnd) {
      needsEnd = false;
      end = newEnd;
      endNanos = nowNanos;
    }
  }

  /// Returns whether the copy is young enough to be asked now; if it is not, the log is asked.
  ///
  /// @param position up to which the changelog is replayed
  boolean isAtMost(Duration oldest, long position, long nowNanos) {
    if (end != UNKNOWN && position >= end) {
      known = true;
      currentNanos = endNanos;
      end = UNKNOWN;
    }
    boolean young = known && nowNanos - currentNanos <= oldest.toNanos();
    if (!young && end == UNKNOWN) {
      needsEnd = true;
    }
    return young;
  }

  /// Returns how old it is.
  Duration age(long nowNanos) {
    return Duration.ofNanos(nowNanos - currentNanos);
  }

  /// It is not followed any more.
  void forget() {
    end = UNKNOWN;
    known = false;
    needsEnd = false;
  }
}
