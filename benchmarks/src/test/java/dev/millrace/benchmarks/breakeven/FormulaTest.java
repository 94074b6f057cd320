package dev.millrace.benchmarks.breakeven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Against values computed by hand from section 5 of Noghabi et al.
class FormulaTest {
  private static final double TB = 1e12;
  private static final double GB = 1e9;
  private static final double TWENTY_MINUTES = 1_200;

  @Test
  void aCheckpointWritesTheStateInEveryInterval() {
    // 100 TB in 1,200 s: 83.3 GB a second.
    assertEquals(83.333e9, Formula.checkpoint(100 * TB, TWENTY_MINUTES), 0.001e9);
    // 100 GB in ten minutes: 167 MB a second.
    assertEquals(166.667e6, Formula.checkpoint(100 * GB, 600), 0.001e6);
  }

  @Test
  void aChangelogWritesEveryChange() {
    assertEquals(1e8, Formula.changelog(1e7, 10));
    assertEquals(1e9, Formula.changelog(1e6, 1_000));
  }

  @Test
  void theyBreakEven() {
    // 83.3 GB a second in entries of 10 bytes.
    assertEquals(8.3333e9, Formula.breakEven(100 * TB, TWENTY_MINUTES, 10), 0.0001e9);
    // 100 GB every ten minutes in entries of 10 bytes: 16.7 million a second, of 1,000 bytes a
    // hundredth of that.
    assertEquals(16.6667e6, Formula.breakEven(100 * GB, 600, 10), 0.0001e6);
    assertEquals(166_667, Formula.breakEven(100 * GB, 600, 1_000), 1);
    // And every 90 minutes a ninth.
    assertEquals(18_519, Formula.breakEven(100 * GB, 5_400, 1_000), 1);
  }
}
