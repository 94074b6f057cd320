package dev.millrace.internal.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FarAheadTest {
  private static final long NOW = 1_000_000;
  private static final long LIMIT = 1_000;

  @Test
  void oneWrongClockIsNotBelieved() {
    FarAhead far = at(NOW - 10);
    assertTrue(far.believes(NOW));
    assertFalse(far.believes(NOW + 500_000));
    assertTrue(far.believes(NOW + 1));
    assertEquals(1, far.found());
  }

  @Test
  void aBurstOfOneWrongClockIsNotBelieved() {
    FarAhead far = at(NOW - 10);
    for (int i = 0; i < 10 * FarAhead.AGREEING; i++) {
      boolean good = i % (FarAhead.AGREEING - 1) == 0;
      assertEquals(good, far.believes(good ? NOW : NOW + 500_000 + i), "record " + i);
    }
  }

  @Test
  void whatManyRecordsSayOneBehindTheOtherIs() {
    FarAhead far = at(NOW);
    for (int i = 1; i < FarAhead.AGREEING; i++) {
      assertFalse(far.believes(NOW + 500_000 + i), "record " + i);
    }
    assertTrue(far.believes(NOW + 500_000));
    assertTrue(far.believes(NOW + 500_900));
    assertFalse(far.believes(NOW + 502_000));
    assertEquals(FarAhead.AGREEING, far.found());
  }

  @Test
  void aBatchThatIsReadAgainIsJudgedAsBefore() {
    FarAhead far = at(NOW);
    for (int i = 1; i < FarAhead.AGREEING; i++) {
      assertFalse(far.believes(NOW + 500_000));
    }
    far.begin(NOW);
    for (int time = 0; time < 3; time++) {
      far.again();
      assertTrue(far.believes(NOW + 500_000));
      assertTrue(far.believes(NOW + 500_001));
      assertFalse(far.believes(NOW + 900_000));
      assertEquals(1, far.found());
    }
  }

  @Test
  void theClockIsBelievedWhateverCameBefore() {
    FarAhead far = at(5);
    assertTrue(far.believes(NOW + LIMIT));
    assertFalse(at(5).believes(NOW + LIMIT + 1));
  }

  @Test
  void theFirstRecordOfAllIsJudgedByTheClock() {
    FarAhead far = at(InputTime.UNKNOWN);
    assertFalse(far.believes(NOW + 500_000));
    assertTrue(far.believes(NOW));
    assertFalse(far.believes(NOW + 500_000));
  }

  @Test
  void farTimesThatDoNotAgreeAreNotBelieved() {
    FarAhead far = at(NOW);
    for (int i = 0; i < FarAhead.AGREEING; i++) {
      assertFalse(far.believes(NOW + 500_000));
      assertFalse(far.believes(NOW + 900_000));
    }
    assertEquals(2 * FarAhead.AGREEING, far.found());
    far.begin(NOW);
    assertEquals(0, far.found());
  }

  private static FarAhead at(long last) {
    FarAhead far = new FarAhead(LIMIT, last);
    far.begin(NOW);
    return far;
  }
}
