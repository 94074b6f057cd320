package dev.millrace.files;

import dev.millrace.api.StreamApplication;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.util.Map;

/// A job that is crashed at random until its files are read to their ends.
final class CrashedRun {
  private static final int CRASHES_UNTIL = 5_000;
  private static final int MOST_STEPS = 100_000;

  private CrashedRun() {}

  /// Runs a job of a drawn shape to its end.
  ///
  /// @param topics that it writes, and how many partitions they have
  static Simulation of(long seed, StreamApplication application, Map<String, Integer> topics) {
    Seed chaos = new Seed(seed).fork("chaos");
    SimulationSettings settings =
        SimulationSettings.of().withShape(chaos.between(1, 2), chaos.between(1, 2), chaos.coin());
    Simulation simulation = new Simulation(seed, application, settings);
    topics.forEach(simulation.log()::createTopic);
    simulation.startAll();
    while (!simulation.completed()) {
      simulation.step();
      if (simulation.steps() < CRASHES_UNTIL && chaos.chance(0.01)) {
        simulation.crash(chaos.below(settings.containers()), chaos.coin());
      }
      if (!simulation.allRun() && chaos.chance(0.1)) {
        simulation.startAll();
      }
      if (simulation.steps() > MOST_STEPS) {
        throw new AssertionError(
            "seed %d is not at its end: %s %s"
                .formatted(
                    seed,
                    simulation.state(),
                    simulation.failures().reversed().stream().limit(2).toList()));
      }
    }
    return simulation;
  }
}
