package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.disk.Hosts;
import org.junit.jupiter.api.Test;

/// What goes to sinks outside the log arrives exactly once.
class DeliveryTest {
  private static final int SEEDS = 150;
  private static final Scenario DELIVERIES = Scenario.named("deliveries");

  private static ShopJob run(long seed, ShopJob job, CrashSchedule schedule, boolean faults) {
    try (Hosts hosts = Hosts.models()) {
      Simulation simulation = Simulation.prepared(seed, job, job.settings(), hosts);
      Chaos.run(simulation, seed, schedule, faults);
      job.requireExact(Written.by(simulation));
      return job;
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  @Test
  void withoutFaultsNothingComesTwice() {
    ShopJob job = new ShopJob(1, "", SimulationSettings.of("purchases"), 0);
    assertEquals(0, run(1, job, CrashSchedule.none(), false).repeated());
  }

  @Test
  void crashesAndFailuresOfTheSinkChangeNothing() {
    long failed = 0;
    long repeated = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      ShopJob job = ShopJob.drawn(seed, "");
      run(seed, job, DELIVERIES.schedule(seed), Scenario.hasFaults(seed));
      failed += job.failed();
      repeated += job.repeated();
    }
    System.out.println("crash schedules: " + SEEDS + " with deliveries that fail");
    assertTrue(failed > 0 && repeated > 0, failed + " failures, " + repeated + " repetitions");
  }
}
