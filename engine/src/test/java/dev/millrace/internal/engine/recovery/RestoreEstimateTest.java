package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestoreEstimateTest {
  private static long left(int seconds, long offsets, long left) {
    return RestoreEstimate.leftNanos(Duration.ofSeconds(seconds).toNanos(), offsets, left);
  }

  private static long seconds(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void ofNothingOrALittleNothingIsSaid() {
    assertEquals(RestoreEstimate.UNKNOWN, left(5, 1_000_000, 1_000_000));
    assertEquals(RestoreEstimate.UNKNOWN, left(5, 1_000_000, 999_999));
    assertEquals(RestoreEstimate.UNKNOWN, left(10, 1_000_000, 960_000));
    assertEquals(RestoreEstimate.UNKNOWN, left(600, 1_000_000, 995_000));
  }

  @Test
  void theRestTakesAsLongAsItsShare() {
    assertEquals(seconds(95), left(5, 1_000_000, 950_000));
    assertEquals(seconds(10), left(10, 1_000_000, 500_000));
    assertEquals(0, left(10, 1_000_000, 0));
    assertEquals(seconds(99 * 40), left(40, 1_000_000, 990_000));
  }
}
