package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BadRecordsTest {
  private static final Split SPLIT = new Split("in", 3);

  private final BadRecords records =
      new BadRecords(
          ErrorConfig.defaults()
              .withOnError(OnError.SKIP)
              .withSkip(Set.of(new RecordPlace("in", 3, 14), new RecordPlace("in", 2, 10))));

  /// Even offsets from 10 on, as compaction leaves them.
  private final RecordBatch batch = RecordBatch.create().reset(SPLIT, new byte[0], 10);

  BadRecordsTest() {
    for (int i = 0; i < 10; i++) {
      batch.append(10 + 2L * i, 0);
    }
  }

  @Test
  void theFirstBadRecordOfAPartIsFound() {
    records.add(0, new RecordPlace("in", 3, 18), "operator", "cause");
    assertEquals(2, records.first(0, batch, 0, 10));
    assertEquals(4, records.first(0, batch, 3, 10));
    assertEquals(-1, records.first(0, batch, 0, 2));
    assertEquals(-1, records.first(0, batch, 5, 10));
    assertEquals(-1, records.first(0, batch, 2, 2));
  }

  @Test
  void anOffsetThatIsNotInTheBatchIsNoRecordOfIt() {
    records.add(0, new RecordPlace("in", 3, 13), "operator", "cause");
    assertEquals(2, records.first(0, batch, 2, 10));
    assertEquals(-1, records.first(0, batch, 0, 2));
  }

  @Test
  void whatFailsInOneStageIsGoodForAnother() {
    records.add(1, new RecordPlace("in", 3, 12), "operator", "cause");
    assertEquals(1, records.first(1, batch, 0, 10));
    assertEquals(2, records.first(0, batch, 0, 10));
    records.forget(0, SPLIT, 19);
    assertEquals(1, records.first(1, batch, 0, 10));
  }

  @Test
  void whatIsCommittedIsForgotten() {
    records.add(0, new RecordPlace("in", 3, 18), "operator", "cause");
    records.forget(0, SPLIT, 15);
    assertEquals(4, records.first(0, batch, 3, 10));
    records.forget(0, SPLIT, 19);
    assertEquals(-1, records.first(0, batch, 3, 10));
    assertEquals(2, records.first(0, batch, 0, 10)); // which the user has named
  }
}
