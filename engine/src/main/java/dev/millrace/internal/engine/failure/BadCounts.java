package dev.millrace.internal.engine.failure;

import dev.millrace.internal.engine.metrics.TaskMetrics;

/// How many bad records and results a task has passed over. They are counted when the commit that
/// goes on without them has taken place: once each, however often the task gets to them.
public final class BadCounts {
  private static final int MANY = 1 << 16;

  private final TaskMetrics metrics;
  private Counts live = Counts.NONE;
  private Counts marked = Counts.NONE;
  private Counts frozen = Counts.NONE;

  /// Of the commit that the frozen ones belong to.
  private long commit;

  private record Counts(long skipped, long deadLetters) {
    static final Counts NONE = new Counts(0, 0);
  }

  BadCounts(TaskMetrics metrics) {
    this.metrics = metrics;
  }

  /// Something is passed over.
  ///
  /// @param deadLetter whether it has become a dead letter
  void add(boolean deadLetter) {
    live = new Counts(live.skipped + 1, live.deadLetters + (deadLetter ? 1 : 0));
  }

  /// Whether so many were passed over since the last commit that another one is due: they are kept
  /// in mind until then.
  public boolean areMany() {
    return live.skipped >= MANY;
  }

  void mark() {
    marked = live;
  }

  void undo() {
    live = marked;
  }

  /// The task's part of a commit is fixed.
  void frozen(long number) {
    frozen = live;
    live = Counts.NONE;
    commit = number;
  }

  /// What was frozen last is committed.
  void published() {
    metrics.addBad(frozen.skipped, frozen.deadLetters);
    frozen = Counts.NONE;
  }

  /// The task goes on from its last commit, which may be one whose outcome nobody knew before.
  ///
  /// @param committed the number of that commit
  void begin(long committed) {
    if (commit <= committed) {
      published();
    }
    live = Counts.NONE;
    frozen = Counts.NONE;
  }
}
