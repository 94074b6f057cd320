package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.AddToLastArgument;
import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;
import java.util.stream.Stream;

/// The planted bugs.
public final class Mutants {
  private static final String COMMIT = "dev.millrace.engine.commit.";
  private static final String LOOP = "dev.millrace.engine.loop.";
  private static final String OPERATORS = "dev.millrace.engine.operators.";
  private static final String STATE = "dev.millrace.state.";

  private Mutants() {}

  /// All of them.
  public static List<Mutant> all() {
    return Stream.of(
            ofTheProtocol(),
            ofWhatIsSent(),
            ofTheLayers(),
            ofTheDisk(),
            ofTasks(),
            ofBadRecords(),
            ofCommitRecords(),
            ofInputs(),
            DirectMutants.ofBarriers(),
            DirectMutants.ofQueues(),
            ofOperators(),
            ofWindows())
        .flatMap(List::stream)
        .toList();
  }

  /// What a commit group does wrong.
  private static List<Mutant> ofTheProtocol() {
    return List.of(
        new Mutant(
            "unknown-outcome-assumed",
            "A commit whose outcome is unknown is taken for committed.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("TransactionalWriter", "outcome", "unknownIsCommitted"),
            "sums",
            7),
        new Mutant(
            "aborted-outcome-ignored",
            "A commit that was aborted is taken for committed.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("TransactionalWriter", "outcome", "abortedIsCommitted"),
            "at-least-once",
            7),
        new Mutant(
            "fenced-outcome-ignored",
            "A writer that another one has taken the place of takes its commits for done.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("TransactionalWriter", "outcome", "fencedIsCommitted"),
            "sums",
            11),
        new Mutant(
            "others-not-fenced",
            "A container begins while those of an earlier placement may still write.",
            COMMIT + "Fencing",
            "fence",
            new SkipCalls("Log", "fence"),
            "sums",
            365),
        new Mutant(
            "deferred-events-kept",
            "A stop that was asked for during a commit is carried out although the commit failed.",
            COMMIT + "CommitGroup",
            "perform",
            new SkipCalls("Queue", "clear"),
            "notes",
            11),
        new Mutant(
            "undecided-not-awaited",
            "A restore does not wait until what a predecessor left open is decided.",
            COMMIT + "Fencing",
            "undecided",
            new Redirect("Offsets", "end", "lastStable"),
            "deliveries",
            1));
  }

  /// What a commit group does wrong with batches that come before their commit.
  private static List<Mutant> ofWhatIsSent() {
    return List.of(
        new Mutant(
            "batches-behind-the-part-not-held-back",
            "What a member hands over behind its part of a commit is sent with that commit.",
            COMMIT + "Outgoing",
            "add",
            new Redirect("Map", "containsKey", "never"),
            "bad-records",
            27),
        new Mutant(
            "early-batches-outlive-a-roll-back",
            "What was handed over before a roll-back is sent behind it.",
            COMMIT + "Outgoing",
            "drop",
            new DoNothing(),
            "sums",
            9),
        new Mutant(
            "output-left-behind-at-the-barrier",
            "What tasks sent before the barrier goes with the commit behind it.",
            LOOP + "Collecting",
            "begin",
            new SkipCalls("Departures", "handOverAll"),
            "sums",
            1));
  }

  /// What happens to entries on their way to the disk and back.
  private static List<Mutant> ofTheLayers() {
    return List.of(
        new Mutant(
            "changes-behind-the-barrier-taken-in",
            "A commit contains what was put behind its barrier while it was encoded.",
            STATE + "Freezer",
            "beforeChange",
            new DoNothing(),
            "sums",
            2),
        new Mutant(
            "live-entries-not-in-ranges",
            "A range passes over what was changed since the last commit.",
            STATE + "Layers",
            "openRange",
            new SkipCalls("ObjectCache", "addRuns"),
            "sums",
            1),
        new Mutant(
            "values-with-the-keys-serde",
            "What is kept under a key is read and written as if it were a key.",
            STATE + "CachedStore",
            "<init>",
            new Redirect("StoreSpec", "valueSerde", "keySerde"),
            "sums",
            1),
        new Mutant(
            "dirty-entries-kept",
            "What an aborted commit had changed stays in the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("ObjectCache", "clear"),
            "deliveries",
            1),
        new Mutant(
            "pending-entries-kept",
            "What an aborted commit had collected stays below the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("Layer", "clear"),
            "bad-records",
            1),
        new Mutant(
            "tombstones-dropped-on-restore",
            "Deletions in the changelog are passed over.",
            STATE + "TaskState",
            "restore",
            new SkipCalls("Layer", "delete"),
            "sums",
            9),
        new Mutant(
            "updates-dropped-on-acknowledge",
            "Of a second commit before a flush the entries are lost.",
            STATE + "Layers",
            "acknowledge",
            new SkipCalls("Layer", "putAll"),
            "sums",
            1));
  }

  /// What happens to entries below the cache.
  private static List<Mutant> ofTheDisk() {
    return List.of(
        new Mutant(
            "flush-without-ingest",
            "The committed layer is dropped and nothing is written to the disk.",
            STATE + "Layers",
            "finishFlush",
            new SkipCalls("Ingest", "finish"),
            "sums",
            2),
        new Mutant(
            "entries-on-their-way-to-disk-not-found",
            "A read passes over what is being written to the disk.",
            STATE + "Layers",
            "find",
            new SkipCalls("Layers", "holderOf"),
            "bad-records",
            7),
        new Mutant(
            "deletions-do-not-hide",
            "A range shows what a layer above has deleted.",
            STATE + "MergeRange",
            "next",
            new Redirect("Run", "isDeleted", "no"),
            "deliveries",
            1),
        new Mutant(
            "oldest-run-wins",
            "Of several runs on disk the oldest says what a key has.",
            STATE + "run.SortedRunDisk",
            "merged",
            new Redirect("List", "reversed", "asItIs"),
            "sums",
            2),
        new Mutant(
            "merging-entries-not-found",
            "A read that the cache cannot answer passes over the last commit while it is merged.",
            STATE + "Layers",
            "find",
            new SkipCalls("Layer", "count"),
            "bad-records",
            17),
        new Mutant(
            "committed-entries-not-found",
            "A read that the cache cannot answer passes over what is committed and not on disk.",
            STATE + "Layers",
            "find",
            new Redirect("Layer", "find", "nowhere"),
            "sums",
            1));
  }

  /// What a task forgets, or keeps, about its commits.
  private static List<Mutant> ofTasks() {
    return List.of(
        new Mutant(
            "store-of-another-task",
            "A task opens the local state of its neighbour.",
            LOOP + "WorkerTasks",
            "openState",
            new Redirect("Disks", "open", "neighbours"),
            "sums",
            1),
        new Mutant(
            "replay-begins-too-late",
            "The first record of the tail is passed over.",
            LOOP + "Restore",
            "add",
            new AddToLastArgument("Position", "of", 1),
            "bad-records",
            2),
        new Mutant(
            "position-beyond-the-commit",
            "A disk says that it has more of the changelog than it has.",
            LOOP + "WorkerTasks",
            "publish",
            new AddToLastArgument("Task", "publish", 3),
            "deliveries",
            1));
  }

  /// What becomes of records that cannot be processed, and of results of commits that failed.
  private static List<Mutant> ofBadRecords() {
    return List.of(
        new Mutant(
            "dead-letter-forgotten",
            "A record that cannot be processed is passed over and not sent to the dead letters.",
            LOOP + "Task",
            "process",
            new SkipCalls("BadRecords", "put"),
            "bad-records",
            1),
        new Mutant(
            "bad-record-not-passed-over",
            "A record that cannot be processed is tried again for ever.",
            LOOP + "BadRecords",
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
            "After a commit that failed the tasks go on from where they were.",
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

  /// What a task forgets to write down, or to read again.
  private static List<Mutant> ofCommitRecords() {
    return List.of(
        new Mutant(
            "commit-record-forgotten",
            "The commit record is not written.",
            LOOP + "Task",
            "collect",
            new SkipCalls("TaskParts", "change"),
            "sums",
            1),
        new Mutant(
            "commit-record-not-replayed",
            "The commit record is passed over on restore.",
            LOOP + "Replayed",
            "into",
            new SkipCalls("CommitRecord", "read"),
            "sums",
            2),
        new Mutant(
            "control-records-forgotten",
            "Watermarks do not travel through exchanges.",
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

  /// What a task gets wrong about its inputs and their time.
  private static List<Mutant> ofInputs() {
    return List.of(
        new Mutant(
            "input-read-from-the-start",
            "A task that goes on reads its input from the beginning.",
            LOOP + "TaskInput",
            "restore",
            new Redirect("Input", "position", "theStart"),
            "deliveries",
            1),
        new Mutant(
            "upstream-watermarks-not-restored",
            "A task does not know how far its upstream tasks were.",
            LOOP + "TaskInput",
            "restore",
            new SkipCalls("OfExchange", "hear"),
            "sums",
            2),
        new Mutant(
            "exchange-purged-too-far",
            "Records of an exchange are deleted before they were read.",
            LOOP + "Task",
            "publish",
            new AddToLastArgument("ReadExchanges", "readUpTo", 3),
            "bad-records",
            16),
        new Mutant(
            "tables-not-awaited",
            "Records are joined with a table of which not all is read.",
            LOOP + "Turns",
            "isHeld",
            new SkipCalls("TaskInput", "isHeld"),
            "lookups",
            1),
        new Mutant(
            "the-fastest-input-sets-the-time",
            "A task's event time is that of the input that is furthest.",
            "dev.millrace.engine.time.InputTime$OfExchange",
            "watermark",
            new Redirect("InputTime", "least", "most"),
            "sums",
            1));
  }

  /// What operators and exchanges get wrong.
  private static List<Mutant> ofOperators() {
    return List.of(
        new Mutant(
            "timer-lost",
            "A timer is not kept.",
            OPERATORS + "Timers",
            "set",
            new SkipCalls("KeyValueStore", "put"),
            "topologies",
            10),
        new Mutant(
            "next-timer-not-known",
            "A timer that is earlier than all that are known is not noticed.",
            OPERATORS + "Timers",
            "set",
            new SkipCalls("DueEntries", "added"),
            "topologies",
            10),
        new Mutant(
            "cancelled-timer-fires",
            "A timer that was cancelled stays.",
            OPERATORS + "Timers",
            "cancel",
            new SkipCalls("KeyValueStore", "delete"),
            "topologies",
            10),
        new Mutant(
            "closed-windows-kept",
            "A window's results are sent and not forgotten.",
            OPERATORS + "WindowOperator",
            "advance",
            new SkipCalls("List", "forEach"),
            "sums",
            1),
        new Mutant(
            "closed-rankings-kept",
            "A ranking is sent and not forgotten.",
            OPERATORS + "TopKOperator",
            "advance",
            new SkipCalls("Firing", "settle"),
            "topologies",
            6),
        new Mutant(
            "windows-closed-early",
            "Records of a window's last seconds are taken for late.",
            OPERATORS + "AlignedPlaces",
            "visit",
            new AddToLastArgument("AlignedWindows", "gone", 3_000),
            "topologies",
            25),
        new Mutant(
            "keys-wander",
            "Records of one key go to several partitions of an exchange.",
            "dev.millrace.engine.chain.SendStep",
            "apply",
            new Redirect("Partitioner", "partition", "anyPartition"),
            "sums",
            1));
  }

  /// What windows get wrong, and what is said of time behind them.
  private static List<Mutant> ofWindows() {
    return List.of(
        new Mutant(
            "late-rows-correct-nothing",
            "A late row changes its pane, and what was emitted is not taken back.",
            OPERATORS + "WindowOperator",
            "update",
            new SkipCalls("Changes", "before"),
            "topologies",
            12),
        new Mutant(
            "early-result-not-sent",
            "An early result is kept as if it had been sent.",
            OPERATORS + "EarlyResults",
            "emit",
            new SkipCalls("WindowRows", "replace"),
            "topologies",
            7),
        new Mutant(
            "sliding-windows-not-corrected",
            "A late row changes no window that ends with a row behind it.",
            OPERATORS + "SlidingWindowOperator",
            "correct",
            new DoNothing(),
            "topologies",
            146),
        new Mutant(
            "final-results-not-awaited",
            "Results that are to be final come when their windows end.",
            "dev.millrace.engine.chain.Chain$Timed",
            "reach",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            511),
        new Mutant(
            "delays-not-announced",
            "The tasks behind an exchange do not hear of a delay before it.",
            LOOP + "Announcements",
            "make",
            new Redirect("InputTime", "delayed", "undelayed"),
            "topologies",
            680));
  }
}
