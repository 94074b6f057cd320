package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.disk.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Changes of formats that are rolled out while containers of both versions run: see [Rollouts].
class RolloutsTest {
  private static RolloutCounts rowsAreTheSameWhateverVersionComputesThem(long from, int seeds) {
    RolloutCounts all = new RolloutCounts();
    EachSeed.run(
        from,
        seeds,
        seed -> {
          try (Hosts hosts = Hosts.models()) {
            all.add(Rollouts.run(seed, hosts));
          }
        });
    return all;
  }

  @Test
  void rowsAreTheSameWhateverVersionComputesThem() {
    RolloutCounts seen = rowsAreTheSameWhateverVersionComputesThem(1, 60);
    assertTrue(
        seen.changes > 60
            && seen.changesWhileOpen > 5
            && seen.refused > 5
            && seen.returns > 30
            && seen.finalized > 2
            && seen.rolledBack > 5,
        seen::toString);
  }

  @Test
  @Tag("thorough")
  void rowsAreTheSameWhateverVersionComputesThemUnderManySeeds() {
    rowsAreTheSameWhateverVersionComputesThem(10_000, 3_000);
  }
}
