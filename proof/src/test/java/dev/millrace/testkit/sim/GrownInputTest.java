package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.disk.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A topic gets partitions while a job counts its keys.
class GrownInputTest {
  private static void noCountIsWrong(long from, int seeds) {
    long refused =
        EachSeed.sum(
            from,
            seeds,
            seed -> {
              try (Hosts hosts = Hosts.models()) {
                return GrownInput.run(seed, hosts);
              }
            });
    assertTrue(refused > seeds / 2, refused + " of " + seeds);
  }

  @Test
  void noCountIsWrongThatIsCommitted() {
    noCountIsWrong(1, 60);
  }

  @Test
  @Tag("thorough")
  void noCountIsWrongThatIsCommittedUnderManySeeds() {
    noCountIsWrong(10_000, 2_000);
  }
}
