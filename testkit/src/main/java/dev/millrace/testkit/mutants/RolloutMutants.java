package dev.millrace.testkit.mutants;

import dev.millrace.testkit.mutants.Edit.DoNothing;
import dev.millrace.testkit.mutants.Edit.Redirect;
import java.util.List;

/// The planted bugs of formats that change while containers of both versions run.
final class RolloutMutants {
  private static final String ENGINE = "dev.millrace.internal.engine.";
  private static final String SERDE = "dev.millrace.api.serde.";
  private static final String SCENARIO = "rollouts";

  private RolloutMutants() {}

  static List<Mutant> all() {
    return List.of(
        new Mutant(
            "stores-written-as-the-new-version",
            "While a change is rolled out, stores are written in the formats of the new version.",
            ENGINE + "plan.WrittenFormats",
            "spec",
            new Redirect("Map", "get", "nothingThere"),
            SCENARIO,
            2),
        new Mutant(
            "exchanges-written-as-the-new-version",
            "While a change is rolled out, values are sent in the formats of the new version.",
            ENGINE + "plan.WrittenFormats",
            "values",
            new Redirect("Map", "getOrDefault", "theOther"),
            SCENARIO,
            1),
        new Mutant(
            "zero-widened-to-null",
            "A number that was written as zero is null where the new version allows null.",
            SERDE + "Widening",
            "unset",
            new DoNothing(),
            SCENARIO,
            1),
        new Mutant(
            "way-back-not-taken",
            "While a migration is rolled out, values are written in its own version.",
            ENGINE + "plan.WrittenFormats",
            "older",
            new Redirect("Serde", "writingAs", "withoutWayBack"),
            SCENARIO,
            1),
        new Mutant(
            "rows-of-other-versions-not-found",
            "A row that is taken back is not found if another version wrote it.",
            ENGINE + "operators.rows.Retained",
            "without",
            new Redirect("Retained", "anew", "asItIs"),
            SCENARIO,
            1),
        new Mutant(
            "former-plan-forgets-the-change",
            "The former plan, which is run or returned to, has parked nothing of the change.",
            ENGINE + "plan.PlanDescription",
            "returnedTo",
            new Redirect("Stream", "noneMatch", "nothingMatches"),
            SCENARIO,
            10),
        new Mutant(
            "outdated-values-are-migrated",
            "The migration beside the work takes a value from disk although there is a newer one.",
            "dev.millrace.internal.state.MigrationSweep",
            "visit",
            new Redirect("StoreContext", "isOnDiskOnly", "everywhere"),
            SCENARIO,
            27));
  }
}
