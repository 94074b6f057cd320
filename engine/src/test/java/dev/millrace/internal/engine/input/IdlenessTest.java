package dev.millrace.internal.engine.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdlenessTest {
  private static final Split SPLIT = new Split("app-by-tag-exchange", 3);
  private static final Plan.Input PLANNED = new Plan.Input(SPLIT.stream(), 4, List.of(), null);
  private static final long SECOND = 1_000_000_000L;

  private static CommitRecord.Input committed(boolean idle, CommitRecord.Upstream... upstream) {
    return new CommitRecord.Input(SPLIT, Position.of(10), -1, 500, idle, false, List.of(upstream));
  }

  @Test
  void aSourceWithRecordsBehindItIsNotIdleAfterAStart() {
    TaskInput input = TaskInput.restore(committed(true), PLANNED, 0);
    assertTrue(input.clock().idleness().was());
    assertTrue(
        input.clock().time().idle(), "until an advance that a crash broke off is at its end");
    input.clock().idleness().resume();
    assertFalse(input.clock().time().idle());
    assertTrue(input.clock().idleness().canChange());
  }

  @Test
  void aSourceIsIdleOnceItHasBeenAtItsEndForLong() {
    InputTime.OfSource time = new InputTime.OfSource(0, 500, false, false);
    Idleness idleness = Idleness.of(time, true);
    assertFalse(idleness.look(true, 0, 30 * SECOND));
    assertFalse(idleness.look(false, 10 * SECOND, 30 * SECOND), "it has records again");
    assertFalse(idleness.look(true, 20 * SECOND, 30 * SECOND));
    idleness.heard();
    assertFalse(idleness.look(true, 40 * SECOND, 30 * SECOND));
    assertFalse(idleness.look(true, 69 * SECOND, 30 * SECOND));
    assertFalse(time.idle());
    assertTrue(idleness.look(true, 70 * SECOND, 30 * SECOND));
    assertTrue(time.idle());
    assertFalse(idleness.canChange());
  }

  @Test
  void aSourceThatStandsAtItsEndIsStillIdleAfterAStart() {
    TaskInput input = TaskInput.restore(committed(true), PLANNED, 0);
    input.clock().idleness().still();
    input.clock().idleness().resume();
    assertTrue(input.clock().time().idle());
    input.clock().idleness().resume();
    assertTrue(input.clock().time().idle());
  }

  @Test
  void upstreamTasksThatWereIdleAreWaitedForAfterAStart() {
    TaskInput input = restored();
    assertEquals(700, input.clock().time().watermark());
    input.clock().idleness().resume();
    assertEquals(
        100, input.clock().time().watermark(), "the task that was idle may have records again");
    assertTrue(input.clock().idleness().canChange());
    assertEquals(
        List.of(new CommitRecord.Upstream(100, true), new CommitRecord.Upstream(700, false)),
        input.toCommitRecord().upstream(),
        "what was said last");

    assertFalse(input.clock().idleness().look(false, 0, 30 * SECOND));
    assertFalse(input.clock().idleness().look(false, 29 * SECOND, 30 * SECOND));
    assertTrue(
        input.clock().idleness().look(false, 30 * SECOND, 30 * SECOND),
        "it has said nothing for long");
    assertEquals(700, input.clock().time().watermark());
    assertFalse(input.clock().idleness().canChange());
    input.clock().idleness().resume();
    assertEquals(700, input.clock().time().watermark(), "one start is one doubt");
  }

  @Test
  void whatAnUpstreamTaskSaysAfterAStartCounts() {
    InputTime.OfExchange time = new InputTime.OfExchange(2);
    time.hear(0, 100, true);
    time.hear(1, 700, false);
    time.doubt();
    time.hear(0, 100, true);
    assertFalse(time.doubts());
    assertEquals(700, time.watermark());
    time.doubt();
    time.hear(0, 150, false);
    assertFalse(time.doubts());
    time.believe();
    assertEquals(150, time.watermark());
  }

  private static TaskInput restored() {
    return TaskInput.restore(
        committed(
            false, new CommitRecord.Upstream(100, true), new CommitRecord.Upstream(700, false)),
        PLANNED,
        2);
  }
}
