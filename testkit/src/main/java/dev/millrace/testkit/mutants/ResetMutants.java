package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.SkipCalls;
import java.util.List;

/// The planted bugs of resets.
final class ResetMutants {
  private static final String RESET = "dev.millrace.internal.engine.reset.";
  private static final String SCENARIO = "resets";

  private ResetMutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "reset-bars-nobody",
            "An application is reset while processes of it go on writing.",
            RESET + "Reset",
            "bar",
            new SkipCalls("Log", "fence"),
            SCENARIO,
            68),
        new Mutant(
            "reset-does-not-wait",
            "The last commits are read while others are still undecided.",
            RESET + "Reset",
            "bar",
            new SkipCalls("Waiting", "until"),
            SCENARIO,
            399),
        new Mutant(
            "given-start-forgotten",
            "Behind a reset without state, inputs begin where their sources say.",
            "dev.millrace.internal.engine.input.TaskInputs",
            "startOffset",
            new SkipCalls("Map", "get"),
            SCENARIO,
            3));
  }
}
