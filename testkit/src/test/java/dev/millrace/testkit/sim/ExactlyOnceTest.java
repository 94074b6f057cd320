package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A job with both kinds of state, crashed at random, must write exactly what a plain computation
/// says.
class ExactlyOnceTest {
  private static final int SEEDS = 1_000;

  /// Every state a crash can come in; going back after an abort; opening a disk, and flushes to it.
  private static final List<String> POINTS =
      List.of(
          "FENCING",
          "FENCING, rolling back",
          "RESTORING",
          "RESTORING, in disk",
          "PROCESSING",
          "PROCESSING, in disk",
          "COLLECTING",
          "COLLECTING, in disk",
          "COMMITTING",
          "COMMITTING, in disk",
          "COLLECTING_LAST",
          "COMMITTING_LAST",
          "RELEASING");

  @Test
  void withoutFaultsTheResultIsExact() {
    SumsJob.run(1, SimulationSettings.of("events"), 0, false, ExactlyOnceTest::assertExact);
  }

  @Test
  void crashesAtRandomMomentsChangeNothing() {
    CrashPoints points = new CrashPoints();
    for (long seed = 1; seed <= SEEDS; seed++) {
      boolean faults = new Seed(seed).fork("faults or not").coin();
      SumsJob job =
          SumsJob.run(seed, SumsJob.drawn(seed), 0.003, faults, ExactlyOnceTest::assertExact);
      points.add(job.simulation().crashPoints());
    }
    System.out.println("crash schedules: " + SEEDS + ", crashed at " + points);
    for (String point : POINTS) {
      assertTrue(points.at(point) >= 10, () -> "Hardly ever crashed at " + point + ": " + points);
    }
  }

  private static void assertExact(SumsJob job) {
    assertEquals(job.expectedSums(), job.sums());
    assertEquals(job.expectedTop(), job.top());
  }
}
