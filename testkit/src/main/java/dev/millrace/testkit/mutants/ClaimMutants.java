package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of claims, and of tasks that move.
final class ClaimMutants {
  private static final String COMMIT = "dev.millrace.internal.engine.commit.";
  private static final String LOOP = "dev.millrace.internal.engine.loop.";
  private static final String RECOVERY = "dev.millrace.internal.engine.recovery.";
  private static final String MOVES = "moves";

  private ClaimMutants() {}

  /// What a writer does wrong when it claims.
  static List<Mutant> ofClaims() {
    return List.of(
        new Mutant(
            "opened-again-without-claims",
            "A writer that is opened again goes on without claiming its tasks anew.",
            COMMIT + "Claims",
            "claim",
            new SkipCalls("Claims", "send"),
            MOVES,
            27),
        new Mutant(
            "claims-of-before-stay",
            "Claims that a writer made before it was opened again are not withdrawn.",
            COMMIT + "Claims",
            "ownOfBefore",
            new Redirect("Stream", "toList", "none"),
            MOVES,
            1));
  }

  /// What a successor does wrong.
  static List<Mutant> ofSuccessions() {
    return List.of(
        new Mutant(
            "owner-not-barred",
            "A task that is taken by force begins without its owner being barred.",
            RECOVERY + "TaskSuccession",
            "bar",
            new SkipCalls("Barring", "bar"),
            MOVES,
            7),
        new Mutant(
            "replay-not-awaited",
            "A task begins before its changelog is replayed to the end.",
            RECOVERY + "TaskSuccession",
            "awaitReplay",
            new Redirect("DurableState", "changelogPosition", "far"),
            MOVES,
            1));
  }

  /// What is wrong with tasks that come to a worker and go from it.
  static List<Mutant> ofMoves() {
    return List.of(
        new Mutant(
            "released-task-goes-on",
            "A task takes records after the commit by which its writer lets go of it.",
            LOOP + "TaskMoves",
            "leave",
            new DoNothing(),
            MOVES,
            0),
        new Mutant(
            "released-task-lost-in-a-roll-back",
            "A task that was to leave with a commit which has failed is not restored.",
            LOOP + "OpenTasks",
            "stay",
            new SkipCalls("Map", "putAll"),
            MOVES,
            9),
        new Mutant(
            "displaced-task-kept",
            "A worker keeps a task that a later decision has given to another one.",
            COMMIT + "Moves",
            "displaced",
            new SkipCalls("TreeMap", "remove"),
            MOVES,
            9));
  }
}
