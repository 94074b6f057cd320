package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.Seed;
import dev.millrace.testkit.sim.CrashSchedule.Crash;
import dev.millrace.testkit.sim.CrashSchedule.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Under at-least-once a crash may repeat results. None is missing, none is wrong, and the state
/// stays exact: it is never told of a record twice. Nothing is said about the last record of a key:
/// what a dead process had under way may arrive behind what its successor wrote.
class AtLeastOnceTest {
  private static final int SEEDS = 40;
  private static final int MORE_SEEDS = 200;
  private static final double CRASHES = 0.003;

  @Test
  void withoutFaultsNothingIsRepeated() {
    SumsJob job = SumsJob.atLeastOnce(1, "");
    SimulationSettings settings = job.settings().withShape(1, 1, false);
    SumsRun.run(1, settings, CrashSchedule.none(), false).requireRowsExact();
  }

  @Test
  void crashesRepeatResultsAndLoseNone() {
    requireNoneLost(1, SEEDS);
  }

  @Test
  @Tag("thorough")
  void norDoTheyUnderMoreSeeds() {
    requireNoneLost(SEEDS + 1, MORE_SEEDS);
  }

  private static void requireNoneLost(long from, int seeds) {
    long repeated = EachSeed.sum(from, seeds, AtLeastOnceTest::repeated);
    System.out.println("crash schedules: " + seeds + " under at-least-once");
    assertTrue(repeated > 0, "Nothing was ever repeated: outputs are written in the transaction.");
  }

  private static int repeated(long seed) {
    SimulationSettings settings = SumsJob.atLeastOnce(seed, "").settings();
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), CRASHES);
    SumsRun run = SumsRun.run(seed, settings, schedule, Scenario.hasFaults(seed));
    run.requireExact();
    return run.top().size() - run.job().expectedTop().size();
  }

  /// Found by the simulation: a process stood still while it restored. Meanwhile its successor
  /// wrote on, so what it read then reached behind the end of its restore, into the middle of a
  /// commit. Its state was ahead of its position, and it wrote sums that were never right.
  @Test
  void aProcessThatStoodStillInItsRestoreWritesNothingThatWasNeverRight() {
    long seed = 20170;
    Crash replaced = new Crash(166, 1, Kind.REPLACED, 5, 16);
    CrashSchedule schedule = new CrashSchedule(List.of(replaced));
    SimulationSettings settings = SumsJob.atLeastOnce(seed, "").settings();
    SumsRun.run(seed, settings, schedule, true).requireExact();
  }
}
