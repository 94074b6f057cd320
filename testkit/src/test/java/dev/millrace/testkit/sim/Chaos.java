package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Faults;
import java.time.Duration;

/// Runs a job to its end while its containers are crashed.
final class Chaos {
  private static final long CALM_AFTER = 40_000;
  private static final long MOST_STEPS = 300_000;

  private Chaos() {}

  /// @param crashes the chance of a crash at a step
  /// @param faults whether the log has faults too
  static void run(
      Simulation simulation, int containers, long seed, double crashes, boolean faults) {
    if (faults) {
      simulation.log().faults(Faults.drawn(new Seed(seed).fork("faults")));
    }
    simulation.startAll();
    Seed chaos = new Seed(seed).fork("chaos");
    while (!simulation.completed()) {
      simulation.step();
      if (simulation.steps() > CALM_AFTER) {
        simulation.log().calm();
      } else if (chaos.chance(crashes)) {
        int victim = chaos.below(containers);
        if (chaos.coin()) {
          simulation.crash(victim, chaos.coin());
        } else {
          simulation.crashInDisk(victim, chaos.between(1, 20));
        }
      }
      if (!simulation.allRun() && chaos.chance(0.05)) {
        simulation.startAll();
      }
      if (simulation.steps() > MOST_STEPS) {
        throw new AssertionError(
            "Not at the end after " + MOST_STEPS + " steps: " + simulation.state());
      }
    }
    simulation.log().calm();
    simulation.log().advance(Duration.ofSeconds(5));
  }
}
