package dev.millrace.internal.engine.commit;

/// The protocol of a commit group as a table: what each event does in each state. It is the table
/// of `docs/architecture.md`, and [CommitGroup] does nothing that does not stand here.
///
/// The outcome of a transaction may be unknown; that is no accident but a way through the table: as
/// after an abort the group goes back to `FENCING`, where the log decides the transaction, and to
/// `RESTORING`, where the changelog tells how it was decided.
public final class Protocol {
  private Protocol() {}

  public enum State {
    /// The group's writer takes over its id, other writers of its tasks are barred, and the
    /// changelog is waited for until nothing in it is undecided. Nothing of the tasks may be read
    /// before.
    FENCING,
    /// Each task's disk is open, and what the changelog holds beyond it is replayed.
    RESTORING,
    /// Records are processed. What they led to may be on its way to the log already, in a
    /// transaction whose end nobody has asked for.
    PROCESSING,
    /// A barrier goes through the members; each hands over its part of the commit and goes on.
    COLLECTING,
    /// All parts were sent and the end of the transaction was asked for. Processing goes on above
    /// it.
    COMMITTING,
    /// As `COLLECTING`, but nothing is processed behind the barrier. If the commit fails, the group
    /// goes back like after any other; a stop is then asked for anew.
    COLLECTING_LAST,
    /// As `COMMITTING`, for the last time.
    COMMITTING_LAST,
    /// The last commit is acknowledged; its marker is waited for, so that the next owner of the
    /// tasks finds it, and its delivery to sinks outside the log, which may fail. Then the disks
    /// are closed.
    RELEASING,
    /// The tasks were let go. Final.
    CLOSED,
    /// Another writer took over, or the job cannot go on. Final: what was not committed is dropped.
    FAILED
  }

  public enum Event {
    /// Fencing is complete: the changelog's end is decided.
    FENCED_OTHERS,
    /// A commit record names a writer that was not barred: one of a build that makes no claims, or
    /// whose claim is lost.
    FOREIGN_WRITER,
    /// Every member has replayed its tail.
    RESTORED,
    /// The interval is over, a buffer is full, or a first commit is wanted.
    COMMIT_DUE,
    /// Every member has handed over its part.
    COLLECTED,
    ACKNOWLEDGED,
    ABORTED,
    OUTCOME_UNKNOWN,
    /// A task failed in a way that going back to the last commit may mend.
    TASK_FAILED,
    /// The job is asked to stop, or its input has ended.
    STOP,
    /// The last commit's markers are visible.
    RELEASED,
    /// Another writer took over, or the failure is one that cannot be mended here.
    LOST
  }

  public enum Action {
    NONE,
    /// Members open their disks and replay.
    RESTORE,
    /// The writer named is barred, and the changelog's end waited for again.
    FENCE_MORE,
    /// Members begin to process from the restored positions.
    BEGIN,
    /// The barrier is sent.
    COLLECT,
    /// Parts are sent to the log, and the commit is asked for.
    COMMIT,
    /// Pending becomes committed.
    PUBLISH,
    /// Live and pending are dropped; the writer opens anew.
    ROLL_BACK,
    /// The event is kept and applied again in the next state.
    DEFER,
    /// Disks, readers and writer are closed.
    CLOSE,
    /// Everything is dropped and closed; the disks stay as they are.
    FAIL,
    /// The event cannot happen in this state: a broken invariant.
    IMPOSSIBLE
  }

  public record Transition(Action action, State next) {}

  /// What an event does in a state.
  public static Transition on(State state, Event event) {
    return switch (state) {
      case FENCING -> fencing(event);
      case RESTORING -> restoring(event);
      case PROCESSING -> processing(event);
      case COLLECTING -> collecting(event);
      case COMMITTING -> committing(event);
      case COLLECTING_LAST -> collectingLast(event);
      case COMMITTING_LAST -> committingLast(event);
      case RELEASING -> releasing(event);
      case CLOSED, FAILED -> ended(state, event);
    };
  }

  private static Transition fencing(Event event) {
    return switch (event) {
      case FENCED_OTHERS -> go(Action.RESTORE, State.RESTORING);
      case TASK_FAILED -> go(Action.NONE, State.FENCING);
      case STOP -> go(Action.CLOSE, State.CLOSED);
      case LOST -> go(Action.FAIL, State.FAILED);
      case COMMIT_DUE -> go(Action.NONE, State.FENCING);
      default -> go(Action.IMPOSSIBLE, State.FENCING);
    };
  }

  private static Transition restoring(Event event) {
    return switch (event) {
      case RESTORED -> go(Action.BEGIN, State.PROCESSING);
      case FOREIGN_WRITER -> go(Action.FENCE_MORE, State.FENCING);
      case TASK_FAILED -> go(Action.ROLL_BACK, State.FENCING);
      case STOP -> go(Action.CLOSE, State.CLOSED);
      case LOST -> go(Action.FAIL, State.FAILED);
      case COMMIT_DUE -> go(Action.NONE, State.RESTORING);
      default -> go(Action.IMPOSSIBLE, State.RESTORING);
    };
  }

  private static Transition processing(Event event) {
    return switch (event) {
      case COMMIT_DUE -> go(Action.COLLECT, State.COLLECTING);
      case STOP -> go(Action.COLLECT, State.COLLECTING_LAST);
      case TASK_FAILED -> go(Action.ROLL_BACK, State.FENCING);
      case ABORTED, OUTCOME_UNKNOWN -> go(Action.ROLL_BACK, State.FENCING);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.PROCESSING);
    };
  }

  private static Transition collecting(Event event) {
    return switch (event) {
      case COLLECTED -> go(Action.COMMIT, State.COMMITTING);
      case TASK_FAILED -> go(Action.ROLL_BACK, State.FENCING);
      case COMMIT_DUE -> go(Action.NONE, State.COLLECTING);
      case STOP -> go(Action.DEFER, State.COLLECTING);
      case ABORTED, OUTCOME_UNKNOWN -> go(Action.ROLL_BACK, State.FENCING);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.COLLECTING);
    };
  }

  private static Transition committing(Event event) {
    return switch (event) {
      case ACKNOWLEDGED -> go(Action.PUBLISH, State.PROCESSING);
      case ABORTED, OUTCOME_UNKNOWN -> go(Action.ROLL_BACK, State.FENCING);
      case COMMIT_DUE -> go(Action.NONE, State.COMMITTING);
      case TASK_FAILED, STOP -> go(Action.DEFER, State.COMMITTING);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.COMMITTING);
    };
  }

  private static Transition collectingLast(Event event) {
    return switch (event) {
      case COLLECTED -> go(Action.COMMIT, State.COMMITTING_LAST);
      case TASK_FAILED -> go(Action.ROLL_BACK, State.FENCING);
      case COMMIT_DUE, STOP -> go(Action.NONE, State.COLLECTING_LAST);
      case ABORTED, OUTCOME_UNKNOWN -> go(Action.ROLL_BACK, State.FENCING);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.COLLECTING_LAST);
    };
  }

  private static Transition committingLast(Event event) {
    return switch (event) {
      case ACKNOWLEDGED -> go(Action.PUBLISH, State.RELEASING);
      case ABORTED, OUTCOME_UNKNOWN -> go(Action.ROLL_BACK, State.FENCING);
      case TASK_FAILED -> go(Action.DEFER, State.COMMITTING_LAST);
      case COMMIT_DUE, STOP -> go(Action.NONE, State.COMMITTING_LAST);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.COMMITTING_LAST);
    };
  }

  private static Transition releasing(Event event) {
    return switch (event) {
      case RELEASED -> go(Action.CLOSE, State.CLOSED);
      case TASK_FAILED -> go(Action.ROLL_BACK, State.FENCING);
      case COMMIT_DUE, STOP -> go(Action.NONE, State.RELEASING);
      case LOST -> go(Action.FAIL, State.FAILED);
      default -> go(Action.IMPOSSIBLE, State.RELEASING);
    };
  }

  private static Transition ended(State state, Event event) {
    return switch (event) {
      case STOP, COMMIT_DUE, TASK_FAILED, LOST -> go(Action.NONE, state);
      default -> go(Action.IMPOSSIBLE, state);
    };
  }

  private static Transition go(Action action, State next) {
    return new Transition(action, next);
  }
}
