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
            "changes-after-the-barrier-included",
            "A commit contains values that were put after its barrier, while it was encoded.",
            STATE + "CommitEncoder",
            "beforeChange",
            new DoNothing(),
            "sums",
            2),
        new Mutant(
            "live-entries-not-in-ranges",
            "A range leaves out entries that were changed since the last commit.",
            STATE + "RangeReader",
            "range",
            new SkipCalls("ObjectCache", "addRange"),
            "sums",
            1),
        new Mutant(
            "values-with-the-keys-serde",
            "Values are read and written with the serde of the keys.",
            STATE + "ValueEncoder",
            "<init>",
            new Redirect("StoreSpec", "valueSerde", "keySerde"),
            "sums",
            1),
        new Mutant(
            "dirty-entries-kept",
            "Changes of an aborted commit stay in the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("ObjectCache", "clear"),
            "deliveries",
            1),
        new Mutant(
            "pending-entries-kept",
            "Entries that an aborted commit had collected stay below the cache.",
            STATE + "TaskState",
            "rollBack",
            new SkipCalls("Layer", "clear"),
            "bad-records",
            2),
        new Mutant(
            "tombstones-dropped-on-restore",
            "Deletions in the changelog are skipped.",
            STATE + "StateRestore",
            "restore",
            new SkipCalls("Layer", "delete"),
            "sums",
            12),
        new Mutant(
            "updates-dropped-on-acknowledge",
            "The entries of a second commit before a flush are lost.",
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
            "The committed layer is dropped, and nothing is written to the disk.",
            STATE + "layer.Layers",
            "finishFlush",
            new SkipCalls("Ingest", "finish"),
            "sums",
            2),
        new Mutant(
            "flushing-entries-not-found",
            "A read does not find entries that are being written to the disk.",
            STATE + "layer.Layers",
            "newestCommitted",
            new SkipCalls("Layers", "isFlushing"),
            "bad-records",
            7),
        new Mutant(
            "deletions-do-not-hide",
            "A range returns entries that a layer above has deleted.",
            STATE + "layer.MergeRange",
            "next",
            new Redirect("SortedEntries", "isDeleted", "no"),
            "deliveries",
            1),
        new Mutant(
            "oldest-run-wins",
            "Of several runs on disk, the oldest determines the value of a key.",
            STATE + "run.SortedRunDisk",
            "merged",
            new Redirect("List", "reversed", "asItIs"),
            "sums",
            2),
        new Mutant(
            "merging-entries-not-found",
            "A read that the cache cannot answer does not find the last commit while it is merged.",
            STATE + "layer.Layers",
            "newestCommitted",
            new SkipCalls("Layers", "isMerging"),
            "bad-records",
            131),
        new Mutant(
            "committed-entries-not-found",
            "A read that the cache cannot answer does not find entries that are committed and not"
                + " on disk.",
            STATE + "layer.Layer",
            "get",
            new Redirect("Layer", "find", "nowhere"),
            "sums",
            2));
  }
}
