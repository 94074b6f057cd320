package dev.millrace.testkit.mutants;

import dev.millrace.testkit.sim.Scenario;

/// Runs scenarios; loaded again for every planted bug, and called by reflection.
public final class MutantRun {
  private MutantRun() {}

  /// Runs one seed of a scenario.
  ///
  /// @return what failed; empty if nothing did
  public static String run(String scenario, long seed) {
    Scenario chosen = Scenario.named(scenario);
    try {
      chosen.run(seed, chosen.schedule(seed));
      return "";
    } catch (LinkageError e) {
      throw e; // the change was no good
      // outermost: any failure is a find
    } catch (RuntimeException | Error e) {
      return scenario + ": " + e.getMessage();
    }
  }
}
