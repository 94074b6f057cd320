package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of commit groups.
final class CommitMutants {
  private static final String COMMIT = "dev.millrace.internal.engine.commit.";
  private static final String LOOP = "dev.millrace.internal.engine.loop.";

  private CommitMutants() {}

  /// What a commit group does wrong.
  static List<Mutant> ofTheProtocol() {
    return List.of(
        new Mutant(
            "unknown-outcome-assumed",
            "A commit whose outcome is unknown is taken for committed.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("GroupWriter", "outcome", "unknownIsCommitted"),
            "sums",
            9),
        new Mutant(
            "aborted-outcome-ignored",
            "A commit that was aborted is taken for committed.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("GroupWriter", "outcome", "abortedIsCommitted"),
            "at-least-once",
            7),
        new Mutant(
            "fenced-outcome-ignored",
            "A writer that was replaced by another one takes its commits for done.",
            COMMIT + "CommitGroup",
            "pollOutcome",
            new Redirect("GroupWriter", "outcome", "fencedIsCommitted"),
            "sums",
            7),
        new Mutant(
            "deferred-events-kept",
            "A stop that was requested during a commit takes effect although the commit failed.",
            COMMIT + "CommitGroup",
            "perform",
            new SkipCalls("Queue", "clear"),
            "notes",
            11),
        new Mutant(
            "later-decisions-ignored",
            "A writer that is opened again keeps a task that a later decision has given to another"
                + " one, and bars nobody.",
            COMMIT + "Claims",
            "look",
            new SkipCalls("Moves", "displaced"),
            "moves",
            28));
  }

  /// What a commit group does wrong with batches that come before their commit.
  static List<Mutant> ofWhatIsSent() {
    return List.of(
        new Mutant(
            "batches-after-the-part-not-held-back",
            "Batches that a member hands over after its part of a commit are sent with that"
                + " commit.",
            COMMIT + "Outgoing",
            "add",
            new Redirect("Map", "containsKey", "never"),
            "bad-records",
            27),
        new Mutant(
            "early-batches-outlive-a-roll-back",
            "Batches that were handed over before a roll-back are sent after it.",
            COMMIT + "Outgoing",
            "drop",
            new DoNothing(),
            "sums",
            9),
        new Mutant(
            "output-left-behind-at-the-barrier",
            "Output that tasks sent before the barrier is committed with the commit after it.",
            LOOP + "CommitCollector",
            "begin",
            new SkipCalls("OutputFlush", "handOverAll"),
            "sums",
            1));
  }
}
