package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Report;

/// What a worker asks its commit group for: a commit, once until it comes, and the end; and that
/// there is something to commit.
final class CommitRequests {
  private final WorkerTasks tasks;
  private final Mailbox group;
  private boolean asked;
  private boolean wanted;
  private boolean endReported;

  /// Whether the group knows that something has changed since the last barrier.
  private boolean changeReported;

  CommitRequests(WorkerTasks tasks, Mailbox group) {
    this.tasks = tasks;
    this.group = group;
  }

  /// The tasks begin, or begin again.
  void begin() {
    asked = false;
    endReported = false;
    changeReported = false;
  }

  /// Looks whether tasks have changed so much that a commit is due, and asks for it.
  ///
  /// @param underWay whether one is under way that will do
  void look(boolean underWay) {
    wanted = tasks.wantCommit();
    if (wanted && !underWay) {
      ask(CommitCause.LIVE_STATE);
    }
  }

  /// Whether so much had changed when it was looked at last.
  boolean isWanted() {
    return wanted;
  }

  void ask(CommitCause cause) {
    if (!asked) {
      asked = true;
      group.tell(new Report.CommitWanted(cause));
    }
  }

  /// Whether a commit was asked for that was not ordered yet.
  boolean isAsked() {
    return asked;
  }

  /// A commit was ordered.
  void ordered() {
    asked = false;
  }

  /// All that has changed is frozen for a commit.
  void frozen() {
    changeReported = false;
  }

  /// Reports what is new: that there is something to commit, and that all input has ended.
  void report() {
    reportChange();
    reportEnd();
  }

  /// Reports once for each commit.
  private void reportChange() {
    if (!changeReported && haveChanged()) {
      changeReported = true;
      group.tell(new Report.Changed());
    }
  }

  private boolean haveChanged() {
    for (Task task : tasks.all()) {
      if (task.hasChanged()) {
        return true;
      }
    }
    return false;
  }

  /// Reports once that all tasks have come to the end of their inputs.
  private void reportEnd() {
    if (!endReported && tasks.allEnded()) {
      endReported = true;
      group.tell(new Report.Ended());
    }
  }
}
