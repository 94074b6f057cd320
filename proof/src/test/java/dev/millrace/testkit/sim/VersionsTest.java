package dev.millrace.testkit.sim;

import dev.millrace.testkit.disk.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Applications that become others over the same state: see [Versions].
class VersionsTest {
  private static void operatorsCountWhatWasReadWhileTheyWereThere(long from, int seeds) {
    EachSeed.run(
        from,
        seeds,
        seed -> {
          try (Hosts hosts = Hosts.models()) {
            Versions.run(seed, hosts);
          }
        });
  }

  @Test
  void operatorsCountWhatWasReadWhileTheyWereThere() {
    operatorsCountWhatWasReadWhileTheyWereThere(1, 60);
  }

  @Test
  @Tag("thorough")
  void operatorsCountWhatWasReadWhileTheyWereThereUnderManySeeds() {
    operatorsCountWhatWasReadWhileTheyWereThere(10_000, 3_000);
  }
}
