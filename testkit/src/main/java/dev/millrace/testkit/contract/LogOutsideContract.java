package dev.millrace.testkit.contract;

import static dev.millrace.testkit.contract.LogBench.TIME;
import static dev.millrace.testkit.contract.LogBench.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] about records that are written outside the transaction.
interface LogOutsideContract {
  LogBench bench();

  @Test
  default void anAbortDoesNotTakeBackWhatWasSentOutside() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    writer.sendOutside(splits.get(0), batch("a", "b"));
    writer.send(splits.get(1), batch("no"));
    bench().eventually("a and b arrived", () -> bench().offsets(splits.get(0)).end() == 2);
    bench().abort(writer);
    assertEquals(List.of("a", "b"), bench().values(splits.get(0)));
    assertEquals(List.of(), bench().values(splits.get(1)));
  }

  @Test
  default void whatWasSentOutsideIsSeenBeforeTheTransactionIsDecided() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    writer.send(splits.get(1), batch("undecided"));
    writer.sendOutside(splits.get(0), batch("seen"));
    LogReading reading = bench().reading();
    splits.forEach(split -> reading.reader().add(split, Position.of(0)));
    reading.readRecords(splits.get(0), 1);
    assertEquals(List.of("seen"), reading.values(splits.get(0)));
    assertEquals(List.of(), reading.values(splits.get(1)));
    assertEquals(Outcome.OPEN, writer.outcome());
    bench().commit(writer);
    reading.readRecords(splits.get(1), 1);
  }

  @Test
  default void allThatWasSentOutsideIsThereOnceTheCommitIsDecided() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < 5; j++) {
        expected.add(i + "/" + j);
        writer.sendOutside(splits.get(0), batch(i + "/" + j));
      }
      if (i % 3 != 0) {
        writer.send(splits.get(1), batch("inside " + i));
      }
      bench().commit(writer);
      assertEquals(expected.size(), bench().offsets(splits.get(0)).end());
    }
    assertEquals(expected, bench().values(splits.get(0)));
    assertEquals(20, bench().values(splits.get(1)).size());
  }

  @Test
  default void whatWasSentOutsideDoesNotCountForCommittedEnd() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    writer.sendOutside(splits.get(0), batch("a"));
    writer.send(splits.get(1), batch("b"));
    bench().commit(writer);
    assertEquals(-1, writer.committedEnd(splits.get(0)));
    assertEquals(1, writer.committedEnd(splits.get(1)));
  }

  @Test
  default void aFailedSendOutsideAbortsTheCommit() {
    Split split = bench().split();
    Split missing = new Split(split.stream(), 7);
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("no"));
    writer.sendOutside(missing, batch("nowhere"));
    writer.commit();
    assertEquals(Outcome.ABORTED, bench().outcome(writer));
    assertTrue(writer.failure().contains(missing.toString()), writer::failure);
    writer.sendOutside(split, batch("yes"));
    bench().commit(writer);
    bench().write(writer, split, "yes too");
    assertEquals(List.of("yes", "yes too"), bench().values(split));
  }

  @Test
  default void aRecordThatIsTooLargeOutsideAbortsTheCommit() {
    String topic = bench().topic(1, Map.of("max.message.bytes", "2000"));
    Split small = new Split(topic, 0);
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.sendOutside(small, batch("x".repeat(5000)));
    writer.send(split, batch("no"));
    writer.commit();
    assertEquals(Outcome.ABORTED, bench().outcome(writer));
    assertTrue(writer.failure().contains(small.toString()), writer::failure);
    writer.sendOutside(small, batch("fits"));
    writer.send(split, batch("yes"));
    bench().commit(writer);
    assertEquals(List.of("fits"), bench().values(small));
    assertEquals(List.of("yes"), bench().values(split));
  }

  @Test
  default void batchesSentOutsideAreReleasedOnce() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    AtomicInteger released = new AtomicInteger();
    for (int i = 0; i < 12; i++) {
      RecordBatch batch = new RecordBatch(one -> released.incrementAndGet(), 4, 100);
      if (i % 4 != 3) {
        batch.append(0, TIME);
        batch.value(new byte[] {1, 2, 3}, 0, 3);
      }
      writer.sendOutside(split, batch);
      if (i == 5) {
        bench().commit(writer);
      } else if (i == 8) {
        bench().abort(writer);
      }
    }
    writer.close();
    bench().eventually("all batches are released", () -> released.get() == 12);
  }
}
