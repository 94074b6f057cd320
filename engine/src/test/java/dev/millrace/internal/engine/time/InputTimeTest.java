package dev.millrace.internal.engine.time;

import static dev.millrace.internal.engine.time.InputTime.ENDED;
import static dev.millrace.internal.engine.time.InputTime.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Event time where several tasks feed one.
class InputTimeTest {
  private final InputTime.OfExchange time = new InputTime.OfExchange(3);

  @Test
  void itIsUnknownUntilAllThatAreNotIdleHaveSpoken() {
    time.hear(0, 10, false);
    time.hear(1, 20, false);
    assertEquals(UNKNOWN, time.watermark());
    time.hear(2, UNKNOWN, true);
    assertEquals(10, time.watermark());
    time.hear(0, 10, true);
    assertEquals(20, time.watermark());
  }

  /// Or what waits for event time would wait for a task that never gets a record.
  @Test
  void whereAllAreIdleThoseThatNeverHadARecordDoNotCount() {
    time.hear(0, UNKNOWN, true);
    time.hear(1, 10, false);
    time.hear(2, UNKNOWN, true);
    time.hear(1, 10, true);
    assertEquals(10, time.watermark());
    time.hear(2, 15, true);
    assertEquals(10, time.watermark());
  }

  /// Those that were split off from others are heard of when they begin, and counted from then on.
  @Test
  void tasksThatCameLaterHoldItFromTheirFirstWordOn() {
    for (int from = 0; from < 3; from++) {
      time.hear(from, 10, false);
    }
    time.hear(5, 10, false);
    time.hear(0, 30, false);
    time.hear(1, 30, false);
    time.hear(2, 30, false);
    assertEquals(10, time.watermark());
    time.hear(5, 25, false);
    assertEquals(25, time.watermark());
    time.hear(3, 20, false);
    assertEquals(20, time.watermark());
    for (int from = 0; from < 6; from++) {
      if (from != 4) { // of which nothing was heard
        time.hear(from, ENDED, false);
      }
    }
    assertEquals(ENDED, time.watermark());
  }

  @Test
  void whereNobodyHadARecordItIsUnknown() {
    for (int from = 0; from < 3; from++) {
      time.hear(from, UNKNOWN, true);
    }
    assertEquals(UNKNOWN, time.watermark());
    time.hear(0, ENDED, false);
    assertEquals(UNKNOWN, time.watermark());
  }

  @Test
  void itEndsWithTheLast() {
    time.hear(0, ENDED, false);
    time.hear(1, 10, false);
    time.hear(2, ENDED, false);
    assertEquals(10, time.watermark());
    time.hear(1, ENDED, false);
    assertEquals(ENDED, time.watermark());
  }
}
