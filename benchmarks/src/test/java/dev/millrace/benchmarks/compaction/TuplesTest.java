package dev.millrace.benchmarks.compaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.scenarios.Event;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TuplesTest {
  /// Five tuples at 7.0, 7.25, 7.5, 7.75 and 8.0 s.
  private static final Tuples FIVE = new Tuples(5, 4, 7_000);

  @Test
  void timesGoOnSteadily() {
    assertEquals(
        List.of(7_000L, 7_250L, 7_500L, 7_750L, 8_000L),
        List.of(
            FIVE.timeMillis(0),
            FIVE.timeMillis(1),
            FIVE.timeMillis(2),
            FIVE.timeMillis(3),
            FIVE.timeMillis(4)));
    assertEquals(7_750, Event.toLong(FIVE.value(3), 0));
    assertEquals(7_000, Tuples.windowOf(7_999));
  }

  @Test
  void everyTupleIsCountedInItsWindow() {
    long[][] counts = FIVE.counts();
    assertEquals(2, counts.length);
    assertEquals(4, Arrays.stream(counts[0]).sum());
    assertEquals(1, Arrays.stream(counts[1]).sum());
    long[] last = new long[Tuples.KEYS];
    last[(int) FIVE.key(4)] = 1;
    assertArrayEquals(last, counts[1]);
  }

  @Test
  void allKeysComeAboutAlike() {
    long[][] counts = new Tuples(10_000, 10_000, 0).counts();
    for (long count : counts[0]) {
      assertTrue(count > 800 && count < 1_200, () -> Arrays.toString(counts[0]));
    }
  }

  @Test
  void aTupleHasAHundredBytesWithItsKey() {
    assertEquals(100, FIVE.value(0).length + Event.KEY_BYTES);
  }

  @Test
  void theLastOneClosesAllWindows() {
    assertTrue(Event.toLong(FIVE.closing(), 0) >= 9_000);
  }

  @Test
  void aStartInTheMiddleOfAWindowIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Tuples(5, 4, 7_001));
  }
}
