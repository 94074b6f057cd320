package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// What goes to sinks outside the log arrives exactly once.
class DeliveryTest {
  private static final int SEEDS = 150;
  private static final Scenario DELIVERIES = new ExactDeliveries();

  @Test
  void withoutFaultsNothingComesTwice() {
    ShopJob job =
        ShopJob.run(1, SimulationSettings.of("purchases"), CrashSchedule.none(), 0, false);
    job.requireExact();
    assertEquals(0, job.repeated());
  }

  @Test
  void crashesAndFailuresOfTheSinkChangeNothing() {
    long failed = 0;
    long repeated = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      boolean faults = Scenario.hasFaults(seed);
      ShopJob job = ShopJob.run(seed, ShopJob.drawn(seed), DELIVERIES.schedule(seed), 0.05, faults);
      try {
        job.requireExact();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      failed += job.failed();
      repeated += job.repeated();
    }
    System.out.println("crash schedules: " + SEEDS + " with deliveries that fail");
    assertTrue(failed > 0 && repeated > 0, failed + " failures, " + repeated + " repetitions");
  }
}
