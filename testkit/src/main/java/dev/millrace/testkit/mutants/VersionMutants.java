package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import java.util.List;

/// The planted bugs of programs that change over their state.
final class VersionMutants {
  private static final String ENGINE = "dev.millrace.internal.engine.";
  private static final String SCENARIO = "versions";

  private VersionMutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "numbers-given-again",
            "Stages, tasks and stores of a changed program are numbered from the beginning.",
            ENGINE + "plan.Numbering",
            "know",
            new DoNothing(),
            SCENARIO,
            1),
        new Mutant(
            "parked-positions-forgotten",
            "A commit leaves out where the task stood in inputs that the program no longer reads.",
            ENGINE + "loop.Task",
            "freeze",
            new Redirect("CombinedInputs", "toCommitRecord", "withoutParked"),
            SCENARIO,
            2),
        new Mutant(
            "barrier-by-number",
            "The barrier of a commit passes the stages in the order of their numbers.",
            ENGINE + "loop.Barrier",
            "<init>",
            new Redirect("Plan", "stages", "byNumber"),
            SCENARIO,
            21));
  }
}
