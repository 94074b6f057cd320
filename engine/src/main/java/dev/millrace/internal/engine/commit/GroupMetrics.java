package dev.millrace.internal.engine.commit;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Counters of a commit group, written by its thread once a commit and read by anyone.
public final class GroupMetrics {
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong unconfirmed = new AtomicLong();
  private final AtomicLong recordsSent = new AtomicLong();
  private final AtomicLong recordsSentEarly = new AtomicLong();
  private final AtomicLong commitNanos = new AtomicLong();
  private final Map<CommitCause, AtomicLong> begun = new EnumMap<>(CommitCause.class);
  private volatile long lastCommitNanos;

  public GroupMetrics() {
    for (CommitCause cause : CommitCause.values()) {
      begun.put(cause, new AtomicLong());
    }
  }

  void begun(CommitCause cause) {
    Objects.requireNonNull(begun.get(cause)).incrementAndGet();
  }

  void committed(long durationNanos) {
    commits.incrementAndGet();
    commitNanos.addAndGet(durationNanos);
    lastCommitNanos = durationNanos;
  }

  void unconfirmed() {
    unconfirmed.incrementAndGet();
  }

  /// @param early those of the records that were sent before their commit began
  void sent(int records, int early) {
    recordsSent.addAndGet(records);
    recordsSentEarly.addAndGet(early);
  }

  /// Acknowledged commits.
  public long commits() {
    return commits.get();
  }

  /// Commits that were begun for a reason, whatever became of them.
  public long begunFor(CommitCause cause) {
    return Objects.requireNonNull(begun.get(cause)).get();
  }

  /// Commits that were aborted or whose outcome was lost.
  public long unconfirmedCommits() {
    return unconfirmed.get();
  }

  /// Records handed to the log, commit records and changelog included.
  public long recordsSent() {
    return recordsSent.get();
  }

  /// Those of [#recordsSent] that were on their way before their commit began.
  public long recordsSentEarly() {
    return recordsSentEarly.get();
  }

  /// From the barrier to the acknowledgement of the last commit, in nanoseconds.
  public long lastCommitDurationNanos() {
    return lastCommitNanos;
  }

  /// The same of all commits together.
  public long commitDurationNanos() {
    return commitNanos.get();
  }
}
