package dev.millrace.testkit.mutants;

import dev.millrace.testkit.sim.Scenario;

/// Runs scenarios; loaded anew for every planted bug, and reached by reflection.
public final class MutantRun {
  private MutantRun() {}

  /// Runs one seed of every scenario.
  ///
  /// @return what failed; empty if nothing did
  public static String run(long seed) {
    for (Scenario scenario : Scenario.all()) {
      try {
        scenario.run(seed, scenario.schedule(seed));
      } catch (LinkageError e) {
        throw e; // the change was no good
        // outermost: any failure is a find
      } catch (RuntimeException | Error e) {
        return scenario.name() + ": " + e.getMessage();
      }
    }
    return "";
  }
}
