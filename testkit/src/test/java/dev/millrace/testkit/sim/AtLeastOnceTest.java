package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.engine.settings.EngineSettings.Guarantee;
import dev.millrace.testkit.Seed;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Under at-least-once a crash may repeat results. None is missing, none is wrong, and the state
/// stays exact: it is never told of a record twice. Nothing is said about the last record of a key:
/// what a dead process had under way may arrive behind what its successor wrote.
class AtLeastOnceTest {
  private static final int SEEDS = 100;
  private static final double CRASHES = 0.003;

  @Test
  void withoutFaultsNothingIsRepeated() {
    SumsJob.run(1, atLeastOnce(SimulationSettings.of("events")), CrashSchedule.none(), false)
        .requireExact();
  }

  @Test
  void crashesRepeatResultsAndLoseNone() {
    long repeated = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      boolean faults = Scenario.hasFaults(seed);
      SimulationSettings settings = atLeastOnce(SumsJob.drawn(seed));
      CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), settings.containers(), CRASHES);
      SumsJob job = SumsJob.run(seed, settings, schedule, faults);
      assertNoneMissing(job, seed);
      repeated += job.top().size() - job.expectedTop().size();
    }
    System.out.println("crash schedules: " + SEEDS + " under at-least-once");
    assertTrue(repeated > 0, "Nothing was ever repeated: outputs are written in the transaction.");
  }

  private static void assertNoneMissing(SumsJob job, long seed) {
    assertEquals(job.expectedSums().keySet(), job.sums().keySet(), "seed " + seed);
    job.expectedSums()
        .forEach((key, expected) -> {
          List<Long> found = job.sums().get(key);
          // Each where it came first; sums that stand still are counted once.
          assertEquals(
              List.copyOf(new LinkedHashSet<>(expected)),
              List.copyOf(new LinkedHashSet<>(found)),
              "seed " + seed + ", sums of " + key);
        });
    assertEquals(new TreeSet<>(job.expectedTop()), new TreeSet<>(job.top()), "seed " + seed);
  }

  private static SimulationSettings atLeastOnce(SimulationSettings settings) {
    return settings.withEngine(settings.engine().withGuarantee(Guarantee.AT_LEAST_ONCE));
  }
}
