package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.sim.CrashSchedule.Crash;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Runs a job to its end while its containers are crashed.
final class Chaos {
  private static final long MOST_STEPS = 120_000;

  /// A container whose crash came in its disk, or not at all, is looked for now and then.
  private static final int LOOK_STEPS = 20;

  private Chaos() {}

  /// @param faults whether the log has faults too, drawn from the seed
  static void run(Simulation simulation, long seed, CrashSchedule schedule, boolean faults) {
    if (faults) {
      simulation.log().faults(Faults.drawn(new Seed(seed).fork("faults")));
    }
    ArrayDeque<Crash> ahead = new ArrayDeque<>(schedule.crashes());
    PriorityQueue<Long> starts = new PriorityQueue<>(Comparator.naturalOrder());
    simulation.startAll();
    while (!simulation.completed()) {
      simulation.step();
      long step = simulation.steps();
      while (!ahead.isEmpty() && ahead.element().step() <= step) {
        Crash crash = ahead.remove();
        crash(simulation, crash);
        starts.add(step + crash.downSteps());
      }
      if (!starts.isEmpty() && starts.element() <= step) {
        starts.remove();
        simulation.startAll();
      } else if (step % LOOK_STEPS == 0 && starts.isEmpty()) {
        simulation.startAll();
      }
      if (step == CrashSchedule.CALM_AFTER) {
        simulation.log().calm();
      }
      if (step > MOST_STEPS) {
        throw new AssertionError(
            "Not at the end after " + MOST_STEPS + " steps: " + simulation.state());
      }
    }
    simulation.log().calm();
    simulation.log().advance(Duration.ofSeconds(5));
  }

  private static void crash(Simulation simulation, Crash crash) {
    switch (crash.kind()) {
      case KILLED -> simulation.crash(crash.container(), false);
      case POWER_LOST -> simulation.crash(crash.container(), true);
      case REPLACED ->
          simulation.replace(crash.container(), crash.operations() * CrashSchedule.REPLACED_STEPS);
      case KILLED_IN_DISK -> simulation.crashInDisk(crash.container(), crash.operations());
    }
  }
}
