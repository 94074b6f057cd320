package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.AddToLastArgument;
import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of tasks: what they forget, and what they get wrong about their inputs.
final class TaskMutants {
  private static final String COMMIT = "dev.millrace.internal.engine.commit.";
  private static final String FAILURE = "dev.millrace.internal.engine.failure.";
  private static final String INPUT = "dev.millrace.internal.engine.input.";
  private static final String LOOP = "dev.millrace.internal.engine.loop.";
  private static final String OPERATORS = "dev.millrace.internal.engine.operators.";
  private static final String RECOVERY = "dev.millrace.internal.engine.recovery.";
  private static final String TIME = "dev.millrace.internal.engine.time.";

  private TaskMutants() {}

  /// What a task forgets, or keeps, about its commits.
  static List<Mutant> ofTasks() {
    return List.of(
        new Mutant(
            "store-of-another-task",
            "A task opens the local state of its neighbour.",
            RECOVERY + "StateOpening",
            "openState",
            new Redirect("Disks", "open", "neighbours"),
            "sums",
            1),
        new Mutant(
            "replay-begins-too-late",
            "The first record of the tail is skipped.",
            RECOVERY + "Restore",
            "begin",
            new AddToLastArgument("Position", "of", 1),
            "bad-records",
            9),
        new Mutant(
            "position-beyond-the-commit",
            "A disk records a position beyond what it has of the changelog.",
            LOOP + "WorkerTasks",
            "publish",
            new AddToLastArgument("Task", "publish", 3),
            "deliveries",
            1));
  }

  /// What becomes of records that cannot be processed, and of results of commits that failed.
  static List<Mutant> ofBadRecords() {
    return List.of(
        new Mutant(
            "dead-letter-forgotten",
            "A record that cannot be processed is skipped and not sent to the dead letters.",
            FAILURE + "BadRecords",
            "passOver",
            new SkipCalls("BadRecords", "put"),
            "bad-records",
            1),
        new Mutant(
            "bad-record-not-passed-over",
            "A record that cannot be processed is tried again for ever.",
            FAILURE + "BadRecords",
            "add",
            new SkipCalls("BadRecords", "put"),
            "bad-records",
            1),
        new Mutant(
            "dead-letter-outside-the-transaction",
            "A dead letter is written although its commit may fail.",
            COMMIT + "Outgoing",
            "send",
            new Redirect("TransactionalWriter", "send", "deadLettersOutside"),
            "bad-records",
            2),
        new Mutant(
            "roll-back-forgotten-by-members",
            "After a commit that failed, the tasks do not roll back.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("WorkerTasks", "rollBack"),
            "deliveries",
            1),
        new Mutant(
            "outbox-kept",
            "Results of an aborted commit are sent with the next one.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("Outbox", "clear"),
            "bad-records",
            1));
  }

  /// What is taken back of a piece of work in which something is bad.
  static List<Mutant> ofUndoing() {
    return List.of(
        new Mutant(
            "half-effect-kept",
            "Changes of a bad record to the state before it failed are kept.",
            FAILURE + "PieceUndo",
            "undo",
            new SkipCalls("TaskState", "undo"),
            "bad-runs",
            1),
        new Mutant(
            "half-output-kept",
            "Output of the records before one that failed is sent twice.",
            FAILURE + "PieceUndo",
            "undo",
            new SkipCalls("Outbox", "undo"),
            "bad-runs",
            1),
        new Mutant(
            "state-not-marked",
            "When a record fails, all changes since the last commit are undone.",
            FAILURE + "PieceUndo",
            "begin",
            new SkipCalls("TaskState", "mark"),
            "bad-runs",
            1),
        new Mutant(
            "bad-records-of-failed-commits-counted",
            "Bad records are counted although the commit that skipped them was aborted.",
            FAILURE + "PieceUndo",
            "restored",
            new AddToLastArgument("BadCounts", "begin", 1),
            "bad-runs",
            9));
  }

  /// What becomes of results that cannot be told.
  static List<Mutant> ofBadResults() {
    return List.of(
        new Mutant(
            "failed-result-without-a-letter",
            "A result that cannot be emitted is skipped and not sent to the dead letters.",
            FAILURE + "BadResults$OfOperator",
            "count",
            new SkipCalls("DeadLetters", "due"),
            "topologies",
            301),
        new Mutant(
            "another-result-blamed",
            "A failure after a window is attributed to the window that was read last.",
            OPERATORS + "window.WindowOperator",
            "close",
            new SkipCalls("RowSink", "begins"),
            "topologies",
            170));
  }

  /// What a task forgets to write down, or to read again.
  static List<Mutant> ofCommitRecords() {
    return List.of(
        new Mutant(
            "commit-record-forgotten",
            "The commit record is not written.",
            LOOP + "Task",
            "collect",
            new SkipCalls("CommitParts", "change"),
            "sums",
            1),
        new Mutant(
            "commit-record-not-replayed",
            "The commit record is skipped on restore.",
            RECOVERY + "ChangelogReplay",
            "into",
            new SkipCalls("CommitRecord", "read"),
            "sums",
            2),
        new Mutant(
            "control-records-forgotten",
            "Watermarks are not sent through exchanges.",
            LOOP + "Barrier",
            "announce",
            new SkipCalls("Task", "announce"),
            "sums",
            1),
        new Mutant(
            "restore-ended-early",
            "A task begins before the tail is replayed.",
            LOOP + "WorkerTasks",
            "restored",
            new DoNothing(),
            "sums",
            2));
  }

  /// What a task forgets of a step of event time that was not done at once.
  static List<Mutant> ofAdvances() {
    return List.of(
        new Mutant(
            "advance-broken-off-forgotten",
            "Windows that an interrupted advance has left are not closed.",
            LOOP + "TaskAdvance",
            "step",
            new Redirect("TimedOperators", "advance", "asIfDone"),
            "sums",
            2),
        new Mutant(
            "windows-after-a-call-not-closed",
            "Event time that a call has held back does not advance until the next watermark.",
            LOOP + "TaskAdvance",
            "poll",
            new Redirect("TimedOperators", "isBehind", "no"),
            "as-of",
            92));
  }

  /// What a task gets wrong about its inputs and their time.
  static List<Mutant> ofInputs() {
    return List.of(
        new Mutant(
            "input-read-from-the-start",
            "A task that continues reads its input from the beginning.",
            INPUT + "TaskInput",
            "restore",
            new Redirect("Input", "position", "theStart"),
            "deliveries",
            1),
        new Mutant(
            "upstream-watermarks-not-restored",
            "A task does not restore the watermarks of its upstream tasks.",
            INPUT + "InputClock",
            "restore",
            new SkipCalls("OfExchange", "hear"),
            "sums",
            2),
        new Mutant(
            "exchange-purged-too-far",
            "Records of an exchange are deleted before they are read.",
            LOOP + "Task",
            "committed",
            new AddToLastArgument("ReadExchanges", "readUpTo", 3),
            "bad-records",
            9),
        new Mutant(
            "tables-not-awaited",
            "Records are joined with a table that was not read to its end.",
            LOOP + "InputSchedule",
            "isHeld",
            new SkipCalls("InputOrder", "isHeld"),
            "lookups",
            1),
        new Mutant(
            "the-fastest-input-sets-the-time",
            "A task's event time is that of its most advanced input.",
            TIME + "InputTime$OfExchange",
            "watermark",
            new Redirect("InputTime", "least", "most"),
            "sums",
            1));
  }

  /// What a task gets wrong about where keys lie.
  static List<Mutant> ofPartitions() {
    return List.of(
        new Mutant(
            "only-the-first-key-asked",
            "Only for the first record of a batch is it checked that its key belongs to the"
                + " partition.",
            INPUT + "PartitionCheck",
            "require",
            new Redirect("RecordBatch", "size", "oneAtMost"),
            "grown-input",
            1),
        new Mutant(
            "only-the-first-batch-asked",
            "Only in the first batch is it checked that keys belong to the partition.",
            INPUT + "TaskInput",
            "advance",
            new SkipCalls("PartitionCheck", "next"),
            "grown-input",
            1),
        new Mutant(
            "added-partition-not-awaited",
            "A partition that was added is read beside those in which its keys lay before.",
            INPUT + "TaskInputs",
            "before",
            new SkipCalls("InputOrder", "await"),
            "grown-input",
            2));
  }
}
