package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.testkit.contract.WriterHistory.Verdict;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The model under all faults, seed by seed.
class ModelLogPropertiesTest {
  private static final int SEEDS = 2_000;

  @Test
  void underAllFaultsNothingCommittedIsLostDoubledReorderedOrTorn() {
    long committed = 0;
    long aborted = 0;
    long unknown = 0;
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      LogChaos chaos = run(seed);
      unknown += chaos.untold();
      committed += chaos.history().count(Verdict.COMMITTED);
      aborted += chaos.history().count(Verdict.ABORTED);
      hashes.add(chaos.traceHash());
    }
    // Otherwise the runs above were too tame to prove anything.
    assertTrue(committed > 5 * SEEDS, "Only " + committed + " transactions were committed.");
    assertTrue(aborted > 5 * SEEDS, "Only " + aborted + " transactions were aborted.");
    assertTrue(unknown > SEEDS / 4, "Only " + unknown + " outcomes were unknown.");
    assertEquals(SEEDS, hashes.size(), "Different seeds give different runs.");
  }

  @Test
  void twoRunsOfOneSeedAreEqual() {
    for (long seed = 0; seed < SEEDS; seed += 4) {
      LogChaos one = run(seed);
      LogChaos other = run(seed);
      assertEquals(one.traceHash(), other.traceHash(), "Two runs differ with seed " + seed);
    }
  }

  private static LogChaos run(long seed) {
    LogChaos chaos = new LogChaos(seed);
    try {
      chaos.run();
    } catch (AssertionError | IllegalStateException failure) {
      throw new AssertionError(
          "With seed " + seed + ": " + failure.getMessage() + chaos.story(), failure);
    }
    return chaos;
  }
}
