package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of the state.
final class StateMutants {
  private static final String STATE = "dev.millrace.internal.state.";

  private StateMutants() {}

  /// What happens to entries on their way to the disk and back.
  static List<Mutant> ofTheLayers() {
    return List.of(
        new Mutant(
            "changes-behind-the-barrier-taken-in",
            "A commit contains what was put behind its barrier while it was encoded.",
            STATE + "CommitEncoder",
            "beforeChange",
            new DoNothing(),
            "sums",
            2),
        new Mutant(
            "live-entries-not-in-ranges",
            "A range passes over what was changed since the last commit.",
            STATE + "RangeReader",
            "range",
            new SkipCalls("ObjectCache", "addRange"),
            "sums",
            1),
        new Mutant(
            "values-with-the-keys-serde",
            "What is kept under a key is read and written as if it were a key.",
            STATE + "ValueEncoder",
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
            5),
        new Mutant(
            "tombstones-dropped-on-restore",
            "Deletions in the changelog are passed over.",
            STATE + "StateRestore",
            "restore",
            new SkipCalls("Layer", "delete"),
            "sums",
            12),
        new Mutant(
            "updates-dropped-on-acknowledge",
            "Of a second commit before a flush the entries are lost.",
            STATE + "layer.Layers",
            "acknowledge",
            new SkipCalls("Layer", "putAll"),
            "sums",
            1));
  }

  /// What happens to entries below the cache.
  static List<Mutant> ofTheDisk() {
    return List.of(
        new Mutant(
            "flush-without-ingest",
            "The committed layer is dropped and nothing is written to the disk.",
            STATE + "layer.Layers",
            "finishFlush",
            new SkipCalls("Ingest", "finish"),
            "sums",
            2),
        new Mutant(
            "entries-on-their-way-to-disk-not-found",
            "A read passes over what is being written to the disk.",
            STATE + "layer.Layers",
            "newestCommitted",
            new SkipCalls("Layers", "isFlushing"),
            "bad-records",
            40),
        new Mutant(
            "deletions-do-not-hide",
            "A range shows what a layer above has deleted.",
            STATE + "layer.MergeRange",
            "next",
            new Redirect("SortedEntries", "isDeleted", "no"),
            "deliveries",
            6),
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
            STATE + "layer.Layers",
            "newestCommitted",
            new SkipCalls("Layers", "isMerging"),
            "bad-records",
            9),
        new Mutant(
            "committed-entries-not-found",
            "A read that the cache cannot answer passes over what is committed and not on disk.",
            STATE + "layer.Layer",
            "get",
            new Redirect("Layer", "find", "nowhere"),
            "sums",
            1));
  }
}
