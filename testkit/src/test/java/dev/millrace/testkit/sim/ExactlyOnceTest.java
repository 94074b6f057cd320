package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A job with both kinds of state, crashed at random, must write exactly what a plain computation
/// says.
class ExactlyOnceTest {
  private static final int SEEDS = 400;
  private static final Scenario SUMS = Scenario.named("sums");

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
    SumsRun.run(1, SimulationSettings.of("events"), CrashSchedule.none(), false).requireExact();
  }

  @Test
  void crashesAtRandomMomentsChangeNothing() {
    CrashPoints points = new CrashPoints();
    for (long seed = 1; seed <= SEEDS; seed++) {
      points.add(SUMS.run(seed, SUMS.schedule(seed)).crashPoints());
    }
    System.out.println("crash schedules: " + SEEDS + ", crashed at " + points);
    for (String point : POINTS) {
      assertTrue(points.at(point) >= 4, () -> "Hardly ever crashed at " + point + ": " + points);
    }
  }

  @Test
  void aSeedGivesTheSameRunAgain() {
    for (long seed = 1; seed <= 20; seed++) {
      Scenario.Seen first = SUMS.run(seed, SUMS.schedule(seed));
      Scenario.Seen second = SUMS.run(seed, SUMS.schedule(seed));
      assertEquals(first.traceHash(), second.traceHash(), "seed " + seed);
      assertEquals(first.steps(), second.steps(), "seed " + seed);
    }
  }
}
