package dev.millrace.engine.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.engine.commit.CommitRecord;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.EngineSettings.BadInput;
import dev.millrace.engine.settings.EngineSettings.Place;
import dev.millrace.engine.time.InputTime;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskInputTest {
  private static final Split SPLIT = new Split("app-by-tag-exchange", 3);
  private static final Plan.Input PLANNED = new Plan.Input(SPLIT.stream(), 4, List.of(), null);
  private static final long SECOND = 1_000_000_000L;

  private static CommitRecord.Input committed(boolean idle, CommitRecord.Upstream... upstream) {
    return new CommitRecord.Input(SPLIT, Position.of(10), -1, 500, idle, false, List.of(upstream));
  }

  @Test
  void noneOfTheRecordsThatCameThroughMemoryHasAPlace() {
    BadRecords named =
        new BadRecords(
            EngineSettings.defaults()
                .withBadInput(BadInput.FAIL, "", Set.of(new Place(SPLIT.stream(), 3, 17))));
    RecordBatch batch = RecordBatch.create().reset(SPLIT, new byte[0], 0);
    for (int i = 0; i < 20; i++) {
      batch.append(i, 0);
    }
    TaskInput input = TaskInput.create(SPLIT, PLANNED, Position.of(0), -1, 2).direct(0);
    input.receive(batch);

    assertEquals(17, named.first(batch, 0, 20), "of the topic");
    assertEquals(-1, named.first(input, 0, 20), "of a batch that came through memory");
    assertTrue(named.suspect(new Place(SPLIT.stream(), 3, 17)));
    assertFalse(named.isSuspect(input, 0));
  }

  @Test
  void aSourceWithRecordsBehindItIsNotIdleAfterAStart() {
    TaskInput input = TaskInput.restore(committed(true), PLANNED);
    assertTrue(input.wasIdle());
    assertTrue(input.time().idle(), "until an advance that a crash broke off is at its end");
    input.resume();
    assertFalse(input.time().idle());
    assertTrue(input.canBecomeIdle());
  }

  @Test
  void aSourceThatStandsAtItsEndIsStillIdleAfterAStart() {
    TaskInput input = TaskInput.restore(committed(true), PLANNED);
    input.stillIdle();
    input.resume();
    assertTrue(input.time().idle());
    input.resume();
    assertTrue(input.time().idle());
  }

  @Test
  void upstreamTasksThatWereIdleAreWaitedForAfterAStart() {
    TaskInput input = restored();
    assertEquals(700, input.time().watermark());
    input.resume();
    assertEquals(100, input.time().watermark(), "the task that was idle may have records again");
    assertTrue(input.canBecomeIdle());
    assertEquals(
        List.of(new CommitRecord.Upstream(100, true), new CommitRecord.Upstream(700, false)),
        input.toCommitRecord().upstream(),
        "what was said last");

    assertFalse(input.updateIdle(-1, 0, 30 * SECOND));
    assertFalse(input.updateIdle(-1, 29 * SECOND, 30 * SECOND));
    assertTrue(input.updateIdle(-1, 30 * SECOND, 30 * SECOND), "it has said nothing for long");
    assertEquals(700, input.time().watermark());
    assertFalse(input.canBecomeIdle());
    input.resume();
    assertEquals(700, input.time().watermark(), "one start is one doubt");
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
        PLANNED);
  }
}
