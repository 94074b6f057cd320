package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.RecordPlace;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BadRecordsInMemoryTest {
  private static final Split SPLIT = new Split("app-by-tag-exchange", 3);
  private static final Plan.Input PLANNED = new Plan.Input(SPLIT.stream(), 4, List.of(), null);

  @Test
  void noneOfTheRecordsThatCameThroughMemoryHasAPlace() {
    BadRecords named =
        new BadRecords(
            ErrorConfig.defaults().withSkip(Set.of(new RecordPlace(SPLIT.stream(), 3, 17))));
    RecordBatch batch = RecordBatch.create().reset(SPLIT, new byte[0], 0);
    for (int i = 0; i < 20; i++) {
      batch.append(i, 0);
    }
    TaskInput input = TaskInput.create(SPLIT, PLANNED, Position.of(0), -1, 2).direct(0);
    input.receive(batch);

    assertEquals(17, named.first(0, batch, 0, 20), "of the topic");
    assertEquals(-1, named.first(0, input, 0, 20), "of a batch that came through memory");
    assertTrue(named.suspect(0, new RecordPlace(SPLIT.stream(), 3, 17)));
    assertFalse(named.isSuspect(0, input, 0));
  }
}
