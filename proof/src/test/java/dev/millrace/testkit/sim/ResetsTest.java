package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.disk.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An application is told to read on from elsewhere.
class ResetsTest {
  private static void everythingIsCountedThatIsRead(long from, int seeds) {
    long moved =
        EachSeed.sum(
            from,
            seeds,
            seed -> {
              try (Hosts hosts = Hosts.models()) {
                return Resets.run(seed, hosts) ? 1 : 0;
              }
            });
    assertTrue(moved > seeds / 3, moved + " of " + seeds);
  }

  @Test
  void everythingIsCountedThatIsRead() {
    everythingIsCountedThatIsRead(1, 80);
  }

  @Test
  @Tag("thorough")
  void everythingIsCountedThatIsReadUnderManySeeds() {
    everythingIsCountedThatIsRead(10_000, 3_000);
  }
}
