package dev.millrace.engine.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.engine.time.FarAhead;
import dev.millrace.engine.time.InputTime;
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
  void whatTheRecordsBehindItSayAsWellIs() {
    FarAhead far = at(NOW);
    assertFalse(far.believes(NOW + 500_000));
    assertTrue(far.believes(NOW + 500_001));
    assertTrue(far.believes(NOW + 500_900));
  }

  @Test
  void theClockIsBelievedWhateverCameBefore() {
    FarAhead far = at(5);
    assertTrue(far.believes(NOW + LIMIT));
    assertFalse(at(5).believes(NOW + LIMIT + 1));
  }

  @Test
  void theFirstRecordOfAllIsTrusted() {
    FarAhead far = at(InputTime.UNKNOWN);
    assertTrue(far.believes(NOW + 500_000));
    assertTrue(far.believes(NOW));
  }

  @Test
  void farTimesThatDoNotAgreeAreNotBelieved() {
    FarAhead far = at(NOW);
    assertFalse(far.believes(NOW + 500_000));
    assertFalse(far.believes(NOW + 900_000));
    assertEquals(2, far.found());
    far.begin(NOW);
    assertEquals(0, far.found());
  }

  private static FarAhead at(long last) {
    FarAhead far = new FarAhead(LIMIT, last);
    far.begin(NOW);
    return far;
  }
}
