package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.blob.ModelBlobs;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Jobs that are crashed, replaced by others while they sleep, and take snapshots into a blob store
/// that is slow, fails, and deletes late.
class SnapshotFaultsTest {
  private static final int SEEDS = 25;
  private static final int MORE_SEEDS = 120;
  private static final double CRASHES = 0.004;
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private long taken;
  private long used;

  @Test
  void whateverTheBlobStoreDoesTheResultIsExact() {
    requireExact(1, SEEDS);
  }

  @Test
  @Tag("thorough")
  void soItIsUnderMoreSeeds() {
    requireExact(SEEDS + 1, MORE_SEEDS);
  }

  private void requireExact(long from, int seeds) {
    for (long seed = from; seed < from + seeds; seed++) {
      run(seed);
    }
    assertTrue(taken > seeds && used > seeds / 5, taken + " taken, " + used + " used");
  }

  @Test
  void aSeedGivesTheSameRunAgain() {
    for (long seed = 1; seed <= 5; seed++) {
      assertEquals(run(seed), run(seed), "seed " + seed);
    }
  }

  /// @return the hash of what happened in the log
  private long run(long seed) {
    SimulationSettings settings =
        SimulationSettings.drawn(seed, "events")
            .withEngine(
                SimulationSettings.engineSettings(Duration.ofMillis(10), Duration.ofMillis(15)));
    SumsRun job = SumsRun.prepared(seed, settings);
    Simulation simulation = job.simulation();
    Seed choices = new Seed(seed).fork("blobs");
    ModelBlobs blobs = simulation.snapshots(INTERVAL, Duration.ofMillis(choices.between(1, 100)));
    blobs.deletingLate(choices.coin());
    blobs.failing(choices.coin() ? 0.1 : 0);
    blobs.slow(choices.coin() ? Duration.ofMillis(5) : Duration.ZERO);
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), CRASHES);
    try {
      Chaos.run(simulation, seed, schedule, Scenario.hasFaults(seed));
      simulation.log().advance(Duration.ofSeconds(5));
      job.requireExact();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
    for (int container = 0; container < simulation.cluster().size(); container++) {
      Engine engine = Objects.requireNonNull(simulation.engine(container));
      for (TaskMetrics task : engine.taskMetrics().values()) {
        taken += task.snapshots().taken();
        used += task.snapshots().restoredOffset() >= 0 ? 1 : 0;
      }
    }
    return simulation.log().traceHash();
  }
}
