package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.testkit.Seed;
import org.junit.jupiter.api.Test;

/// A job with both kinds of state, crashed at random, must write exactly what a plain computation
/// says.
class ExactlyOnceTest {
  private static final int SEEDS = 1_000;

  @Test
  void withoutFaultsTheResultIsExact() {
    SumsJob.run(1, SimulationSettings.of("events"), 0, false, ExactlyOnceTest::assertExact);
  }

  @Test
  void crashesAtRandomMomentsChangeNothing() {
    long crashes = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      boolean faults = new Seed(seed).fork("faults or not").coin();
      crashes +=
          SumsJob.run(seed, SumsJob.drawn(seed), 0.003, faults, ExactlyOnceTest::assertExact)
              .crashes();
    }
    System.out.println("crash schedules: " + SEEDS + " with " + crashes + " crashes");
  }

  private static void assertExact(SumsJob job) {
    assertEquals(job.expectedSums(), job.sums());
    assertEquals(job.expectedTop(), job.top());
  }
}
