package dev.millrace.internal.engine.commit;

/// Why a commit was begun.
public enum CommitCause {
  /// The time between two commits was over; see [CommitPace].
  INTERVAL,
  /// What is to leave with it reached its share of memory.
  OUTBOX,
  /// State that was changed and not committed reached its share of memory.
  LIVE_STATE,
  /// Something should not wait for the interval: a first commit, an input that has ended.
  PROGRESS,
  /// A task comes or goes.
  MOVE
}
