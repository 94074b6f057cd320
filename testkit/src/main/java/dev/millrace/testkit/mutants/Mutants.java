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
    return Stream.of(ofTheProtocol(), ofTheLayers(), ofTasks(), ofInputs(), ofOperators())
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
            11),
        new Mutant(
            "aborted-outcome-ignored",
            "A commit that was aborted is taken for committed.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("TransactionalWriter", "outcome", "abortedIsCommitted"),
            7),
        new Mutant(
            "fenced-outcome-ignored",
            "A writer that another one has taken the place of takes its commits for done.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("TransactionalWriter", "outcome", "fencedIsCommitted"),
            2),
        new Mutant(
            "deferred-events-kept",
            "A stop that was asked for during a commit is carried out although the commit failed.",
            COMMIT + "CommitGroup",
            "perform",
            new SkipCalls("Queue", "clear"),
            13),
        new Mutant(
            "undecided-not-awaited",
            "A restore does not wait until what a predecessor left open is decided.",
            COMMIT + "CommitGroup",
            "undecided",
            new Redirect("Offsets", "end", "lastStable"),
            22));
  }

  /// What happens to entries on their way to the disk and back.
  private static List<Mutant> ofTheLayers() {
    return List.of(
        new Mutant(
            "dirty-entries-kept",
            "What an aborted commit had changed stays in the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("ObjectCache", "clear"),
            7),
        new Mutant(
            "pending-entries-kept",
            "What an aborted commit had collected stays below the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("Layer", "clear"),
            7),
        new Mutant(
            "tombstones-dropped-on-restore",
            "Deletions in the changelog are passed over.",
            STATE + "TaskState",
            "restore",
            new SkipCalls("Layer", "delete"),
            7),
        new Mutant(
            "updates-dropped-on-acknowledge",
            "Of a second commit before a flush the entries are lost.",
            STATE + "Layers",
            "acknowledge",
            new SkipCalls("Layer", "putFrom"),
            1),
        new Mutant(
            "flush-without-ingest",
            "The committed layer is dropped and nothing is written to the disk.",
            STATE + "Layers",
            "flush",
            new SkipCalls("Disk", "ingest"),
            7),
        new Mutant(
            "deletions-do-not-hide",
            "A range shows what a layer above has deleted.",
            STATE + "MergeRange",
            "next",
            new Redirect("Run", "isDeleted", "no"),
            1),
        new Mutant(
            "oldest-run-wins",
            "Of several runs on disk the oldest says what a key has.",
            STATE + "run.SortedRunDisk",
            "merged",
            new Redirect("List", "reversed", "asItIs"),
            7),
        new Mutant(
            "committed-entries-not-found",
            "A read that the cache cannot answer passes over what is committed and not on disk.",
            STATE + "Layers",
            "find",
            new Redirect("Layer", "find", "nowhere"),
            1));
  }

  /// What a task forgets, or keeps, about its commits.
  private static List<Mutant> ofTasks() {
    return List.of(
        new Mutant(
            "roll-back-forgotten-by-members",
            "After a commit that failed the tasks go on from where they were.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("WorkerTasks", "rollBack"),
            7),
        new Mutant(
            "outbox-kept",
            "Results of an aborted commit are sent with the next one.",
            LOOP + "Worker",
            "rollBack",
            new SkipCalls("Outbox", "clear"),
            7),
        new Mutant(
            "commit-record-forgotten",
            "The commit record is not written.",
            LOOP + "Task",
            "collect",
            new SkipCalls("TaskParts", "change"),
            1),
        new Mutant(
            "commit-record-not-replayed",
            "The commit record is passed over on restore.",
            LOOP + "Task",
            "replay",
            new SkipCalls("Task", "readCommitRecord"),
            2),
        new Mutant(
            "control-records-forgotten",
            "Watermarks do not travel through exchanges.",
            LOOP + "Task",
            "collect",
            new SkipCalls("TaskParts", "control"),
            1),
        new Mutant(
            "restore-ended-early",
            "A task begins before the tail is replayed.",
            LOOP + "WorkerTasks",
            "restored",
            new DoNothing(),
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
            2),
        new Mutant(
            "upstream-watermarks-not-restored",
            "A task does not know how far its upstream tasks were.",
            LOOP + "TaskInput",
            "restore",
            new SkipCalls("OfExchange", "hear"),
            2),
        new Mutant(
            "exchange-purged-too-far",
            "Records of an exchange are deleted before they were read.",
            LOOP + "Task",
            "publish",
            new AddToLastArgument("ReadExchanges", "readUpTo", 3),
            7),
        new Mutant(
            "the-fastest-input-sets-the-time",
            "A task's event time is that of the input that is furthest.",
            "dev.millrace.engine.time.InputTime$OfExchange",
            "watermark",
            new Redirect("InputTime", "least", "most"),
            1));
  }

  /// What operators and exchanges get wrong.
  private static List<Mutant> ofOperators() {
    return List.of(
        new Mutant(
            "windows-closed-early",
            "Records of a window's last seconds are taken for late.",
            OPERATORS + "WindowOperator",
            "addToWindows",
            new AddToLastArgument("FixedWindows", "closed", 3_000),
            1),
        new Mutant(
            "keys-wander",
            "Records of one key go to several partitions of an exchange.",
            "dev.millrace.engine.chain.SendStep",
            "apply",
            new Redirect("Partitioner", "partition", "anyPartition"),
            1));
  }
}
