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
            "reset-without-fencing",
            "An application is reset while its processes still write.",
            RESET + "Reset",
            "bar",
            new SkipCalls("Log", "fence"),
            SCENARIO,
            70),
        new Mutant(
            "reset-does-not-wait",
            "The last commits are read while other transactions are still open.",
            RESET + "Reset",
            "bar",
            new SkipCalls("Waiting", "until"),
            SCENARIO,
            985),
        new Mutant(
            "given-start-forgotten",
            "After a reset without state, inputs begin where their sources declare.",
            "dev.millrace.internal.engine.input.TaskInputs",
            "startOffset",
            new SkipCalls("Map", "get"),
            SCENARIO,
            3));
  }
}
