package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// A job with both kinds of state, crashed at random, must write exactly what a plain computation
/// says.
class ExactlyOnceTest {
  private static final Scenario SUMS = Scenario.named("sums");

  @Test
  void withoutFaultsTheResultIsExact() {
    SumsRun.run(1, SimulationSettings.of("events"), CrashSchedule.none(), false).requireExact();
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
