package dev.millrace.benchmarks.breakeven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.benchmarks.breakeven.Changelog.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangelogTest {
  /// 100 bytes a change at first, fewer later.
  private static final Changelog SEEN =
      new Changelog(
          List.of(
              new Point(30, 2_000, 0), // out of order
              new Point(10, 1_000, 0),
              new Point(40, 2_100, 0)));

  @Test
  void beforeTheFirstPointItGrowsEvenly() {
    assertEquals(5, SEEN.changesFor(500), 1e-9);
    assertEquals(10, SEEN.changesFor(1_000), 1e-9);
  }

  @Test
  void betweenPointsItGrowsEvenly() {
    assertEquals(20, SEEN.changesFor(1_500), 1e-9);
    assertEquals(35, SEEN.changesFor(2_050), 1e-9);
  }

  @Test
  void behindTheLastItGoesOnAsBefore() {
    assertEquals(60, SEEN.changesFor(2_300), 1e-9);
  }

  @Test
  void oneThatGrowsNoMoreNeverGetsThere() {
    Changelog full = new Changelog(List.of(new Point(10, 1_000, 0), new Point(20, 1_000, 0)));
    assertEquals(10, full.changesFor(1_000), 1e-9);
    assertEquals(Double.POSITIVE_INFINITY, full.changesFor(1_001));
  }

  @Test
  void aSinglePointIsALine() {
    Changelog one = new Changelog(List.of(new Point(10, 1_000, 0)));
    assertEquals(50, one.changesFor(5_000), 1e-9);
  }

  @Test
  void breakEvenIsWhereTheChangelogWritesWhatTheCheckpointDoes() {
    // 30,000 bytes every 20 s are 1,500 a second.
    assertEquals(20, new Measured(30_000, SEEN, 0).breakEven(20), 1e-9);
  }
}
