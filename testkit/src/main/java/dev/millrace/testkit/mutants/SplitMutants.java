package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of tasks that are split.
final class SplitMutants {
  private static final String LOOP = "dev.millrace.internal.engine.loop.";
  private static final String OUTPUT = "dev.millrace.internal.engine.output.";
  private static final String PLAN = "dev.millrace.internal.engine.plan.";
  private static final String RECOVERY = "dev.millrace.internal.engine.recovery.";
  private static final String MOVES = "moves";

  private SplitMutants() {}

  /// What is wrong about which keys are whose.
  static List<Mutant> ofShares() {
    return List.of(
        new Mutant(
            "keys-of-both-halves",
            "Both tasks process all records after a split.",
            PLAN + "KeyShare",
            "has",
            new DoNothing(),
            MOVES,
            1),
        new Mutant(
            "other-half-seen",
            "After a split a task finds what the other one's keys have left behind in its state.",
            RECOVERY + "ShareOfState",
            "has",
            new DoNothing(),
            MOVES,
            1));
  }

  /// What is wrong about a task that is split off.
  static List<Mutant> ofTheNewTask() {
    return List.of(
        new Mutant(
            "part-begins-without-state",
            "A task that was split off begins before it has what its keys had.",
            RECOVERY + "BaseReplay",
            "isDone",
            new DoNothing(),
            MOVES,
            2),
        new Mutant(
            "part-without-deletions",
            "A task that is split off passes deletions by in the changelog of the other one.",
            RECOVERY + "BaseReplay",
            "replay",
            new Redirect("StateRestore", "restore", "withoutDeletions"),
            MOVES,
            0),
        new Mutant(
            "part-never-copied",
            "A task that was split off says that its changelog has all of its state, and has not"
                + " copied it.",
            LOOP + "Task",
            "copy",
            new Redirect("DiskCopy", "isDone", "yes"),
            MOVES,
            31));
  }

  /// What is wrong about a task that another one is split off from.
  static List<Mutant> ofTheOldTask() {
    return List.of(
        new Mutant(
            "part-not-announced",
            "The tasks behind an exchange are not told that there is one more to wait for.",
            OUTPUT + "Announcements",
            "makeFor",
            new DoNothing(),
            MOVES,
            7),
        new Mutant(
            "part-without-fired-windows",
            "A task that is split off is not told how far windows were fired.",
            LOOP + "Birth",
            "write",
            new SkipCalls("ShareOfState", "isOfEachPart"),
            MOVES,
            9),
        new Mutant(
            "not-opened-anew",
            "After a split a task goes on as it was, with what its operators know of all keys.",
            LOOP + "TaskMoves",
            "leave",
            new Redirect("Set", "addAll", "leaves"),
            MOVES,
            1));
  }
}
