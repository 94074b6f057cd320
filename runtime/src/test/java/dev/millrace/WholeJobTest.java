package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.live.Report.State;
import org.junit.jupiter.api.Test;

/// What a process says of all tasks at once, as it gets them and they are taken from it.
class WholeJobTest {
  private final WholeJob whole = new WholeJob();

  private State told() {
    return whole.reports().getFirst().state();
  }

  private void take(long version) {
    whole.take(WholeJob.BUNDLE, version, true);
  }

  @Test
  void itIsHeldFromTheOrderToTheEndOfTheEngine() {
    assertEquals(-1, whole.begin());
    assertEquals(State.STORED, told());
    take(7);
    assertEquals(State.TAKING, told());
    assertEquals(7, whole.begin());
    whole.begun();
    assertEquals(State.OWNER, told());
    whole.give(WholeJob.BUNDLE);
    assertEquals(-1, whole.given());
    assertEquals(State.LEAVING, told());
    whole.ended(false);
    assertEquals(State.STORED, told());
  }

  @Test
  void whatIsTakenAwayWhileTheEngineIsMadeIsHeldUntilItHasEnded() {
    take(7);
    assertEquals(7, whole.begin());
    whole.give(WholeJob.BUNDLE);
    assertEquals(State.LEAVING, told());
    whole.ended(false);
    assertEquals(State.STORED, told());
  }

  @Test
  void whatWasNotBegunIsLetGoOfAtOnce() {
    take(7);
    whole.give(WholeJob.BUNDLE);
    assertEquals(State.STORED, told());
    assertEquals(-1, whole.begin());
  }

  /// The process was barred, and does not know yet that it is not to have it any more.
  @Test
  void whoseEngineHasEndedTriesAgainUntilItIsToldOtherwise() {
    take(7);
    whole.begin();
    whole.begun();
    whole.ended(false);
    assertEquals(State.TAKING, told());
    assertEquals(7, whole.begin());
    whole.ended(false);
    whole.give(WholeJob.BUNDLE);
    assertEquals(State.STORED, told());
  }

  @Test
  void whatIsCompletedIsHeldAndNotBegunAgain() {
    take(7);
    whole.begin();
    whole.begun();
    whole.ended(true);
    assertEquals(State.DONE, told());
    assertEquals(-1, whole.begin());
    whole.give(WholeJob.BUNDLE);
    assertEquals(State.STORED, told());
  }

  @Test
  void whoFollowsCouldTakeItAtOnce() {
    whole.follow(WholeJob.BUNDLE);
    assertTrue(whole.reports().getFirst().isWarm());
    whole.forget(WholeJob.BUNDLE);
    assertEquals(State.STORED, told());
  }
}
