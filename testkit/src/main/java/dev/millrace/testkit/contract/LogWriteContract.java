package dev.millrace.testkit.contract;

import static dev.millrace.testkit.contract.LogBench.TIME;
import static dev.millrace.testkit.contract.LogBench.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] about transactions of writers that leave each other alone.
interface LogWriteContract {
  LogBench bench();

  @Test
  default void whatIsNotCommittedIsNotSeen() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("a"));
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.readABit();
    assertEquals(List.of(), reading.values(split));
    assertEquals(Outcome.OPEN, writer.outcome());
    bench().commit(writer);
    reading.readRecords(split, 1);
    assertEquals(List.of("a"), reading.values(split));
  }

  @Test
  default void whatIsAbortedIsNeverSeen() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("no"));
    bench().abort(writer);
    bench().write(writer, split, "yes");
    writer.send(split, batch("no"));
    writer.send(split, batch("no"));
    bench().abort(writer);
    bench().write(writer, split, "yes too");
    assertEquals(List.of("yes", "yes too"), bench().values(split));
  }

  @Test
  default void anOpenTransactionHoldsBackWhatOthersCommitted() {
    Split split = bench().split();
    TransactionalWriter slow = bench().openWriter();
    TransactionalWriter quick = bench().openWriter();
    slow.send(split, batch("first"));
    bench().eventually("the first one arrived", () -> bench().offsets(split).end() == 1);
    bench().write(quick, split, "second");
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.readABit();
    assertEquals(List.of(), reading.values(split));
    Log.Offsets offsets = bench().offsets(split);
    assertEquals(0, offsets.stableEnd());
    assertTrue(offsets.end() >= 2, offsets::toString);
    slow.send(split, batch("third"));
    bench().commit(slow);
    reading.readRecords(split, 3);
    assertEquals(List.of("first", "second", "third"), reading.values(split));
  }

  @Test
  default void anAbortLetsThroughWhatItHeldBack() {
    Split split = bench().split();
    TransactionalWriter slow = bench().openWriter();
    TransactionalWriter quick = bench().openWriter();
    slow.send(split, batch("no"));
    bench().eventually("the first one arrived", () -> bench().offsets(split).end() == 1);
    bench().write(quick, split, "a", "b");
    bench().abort(slow);
    assertEquals(List.of("a", "b"), bench().values(split));
  }

  @Test
  default void aTransactionIsWholeAcrossSplits() {
    List<Split> splits = bench().twoSplits();
    TransactionalWriter writer = bench().openWriter();
    writer.send(splits.get(0), batch("a0"));
    writer.send(splits.get(1), batch("a1"));
    writer.send(splits.get(0), batch("b0"));
    bench().commit(writer);
    writer.send(splits.get(1), batch("c1"));
    writer.send(splits.get(0), batch("c0"));
    bench().abort(writer);
    assertEquals(List.of("a0", "b0"), bench().values(splits.get(0)));
    assertEquals(List.of("a1"), bench().values(splits.get(1)));
  }

  @Test
  default void oneWriterWritesManyTransactionsInOrder() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      writer.send(split, batch(i + "a", i + "b"));
      writer.send(split, batch(i + "c"));
      if (i % 5 == 3) {
        bench().abort(writer);
      } else {
        bench().commit(writer);
        expected.addAll(List.of(i + "a", i + "b", i + "c"));
      }
    }
    assertEquals(expected, bench().values(split));
  }

  @Test
  default void committedEndIsBehindTheLastCommittedRecord() {
    List<Split> splits = bench().twoSplits();
    Split split = splits.get(0);
    TransactionalWriter writer = bench().openWriter();
    assertEquals(-1, writer.committedEnd(split));
    writer.send(split, batch("a", "b"));
    writer.send(split, batch("c"));
    bench().commit(writer);
    assertEquals(3, writer.committedEnd(split));
    assertEquals(-1, writer.committedEnd(splits.get(1)));
    writer.send(split, batch("no"));
    bench().abort(writer);
    assertEquals(3, writer.committedEnd(split));
    bench().write(writer, split, "d");
    bench().awaitDecided(split);
    long last = bench().records(split).get(3).offset();
    assertEquals(last + 1, writer.committedEnd(split));
  }

  @Test
  default void anEmptyTransactionIsCommittedAtOnceAndLeavesNothing() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    assertEquals(Outcome.OPEN, writer.outcome());
    bench().abort(writer);
    writer.send(split, RecordBatch.create());
    bench().commit(writer);
    assertEquals(0, bench().offsets(split).end());
    bench().write(writer, split, "a");
    bench().commit(writer);
    assertEquals(List.of("a"), bench().values(split));
  }

  @Test
  default void theOutcomeIsToldOnceThenTheWriterIsOpen() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    assertEquals(Outcome.OPEN, writer.outcome());
    bench().write(writer, split, "a");
    assertEquals("", writer.failure());
    assertEquals(Outcome.OPEN, writer.outcome());
    writer.send(split, batch("no"));
    bench().abort(writer);
    assertEquals(Outcome.OPEN, writer.outcome());
  }

  @Test
  default void batchesSentAreReleasedOnce() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    AtomicInteger released = new AtomicInteger();
    for (int i = 0; i < 20; i++) {
      RecordBatch batch = new RecordBatch(one -> released.incrementAndGet(), 4, 100);
      if (i % 7 != 6) {
        batch.append(0, TIME);
        batch.value(new byte[] {1, 2, 3}, 0, 3);
      }
      batch.retain();
      writer.send(split, batch);
      batch.release();
      if (i % 10 == 5) {
        bench().commit(writer);
      } else if (i % 10 == 9) {
        bench().abort(writer);
      }
    }
    writer.close();
    bench().eventually("all batches are released", () -> released.get() == 20);
  }

  @Test
  default void positionsOfAGroupAreSeenOnceCommitted() {
    List<Split> splits = bench().twoSplits();
    Split one = splits.get(0);
    Split two = splits.get(1);
    String group = bench().uniqueName("group");
    assertEquals(Map.of(), positions(group));
    TransactionalWriter writer = bench().openWriter();
    bench().write(writer, one, "a", "b", "c");
    writer.send(one, batch("d"));
    writer.sendPositions(group, Map.of(one, Position.of(2)));
    assertEquals(Map.of(), positions(group));
    bench().commit(writer);
    awaitPositions(group, Map.of(one, 2L));
    writer.sendPositions(group, Map.of(one, Position.of(3)));
    bench().abort(writer);
    bench().write(writer, one, "e");
    assertEquals(Map.of(one, 2L), positions(group));
    writer.sendPositions(group, Map.of(two, Position.of(0)));
    writer.sendPositions(group, Map.of(one, Position.of(3)));
    bench().commit(writer);
    awaitPositions(group, Map.of(one, 3L, two, 0L));
  }

  private Map<Split, Long> positions(String group) {
    return bench().awaiting("positions are known", () -> bench().log().committedPositions(group));
  }

  private void awaitPositions(String group, Map<Split, Long> expected) {
    bench()
        .eventually(
            "positions of " + group + " are " + expected,
            () -> bench().log().committedPositions(group).equals(expected));
  }

  @Test
  default void aRecordThatIsTooLargeIsRefusedAndTheWriterGoesOn() {
    String topic = bench().topic(1, Map.of("max.message.bytes", "2000"));
    Split split = new Split(topic, 0);
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("small"));
    String failure = failureOfSending(writer, split, batch("x".repeat(5000)), Kind.TOO_LARGE);
    assertTrue(failure.contains(topic), failure);
    bench().write(writer, split, "also small");
    assertEquals("", writer.failure());
    assertEquals(List.of("also small"), bench().values(split));
  }

  @Test
  default void aRecordForASplitThatDoesNotExistFailsTheTransaction() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch("no"));
    Split missing = new Split(split.stream(), 7);
    String failure = failureOfSending(writer, missing, batch("nowhere"), Kind.MISSING);
    assertTrue(failure.contains(missing.toString()), failure);
    bench().write(writer, split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  /// What is wrong may show at once or at the end; either way the transaction is aborted.
  private String failureOfSending(
      TransactionalWriter writer, Split to, RecordBatch batch, Kind kind) {
    try {
      writer.send(to, batch);
    } catch (LogException failure) {
      assertEquals(kind, failure.kind());
      bench().abort(writer);
      return String.valueOf(failure.getMessage());
    }
    writer.commit();
    assertEquals(Outcome.ABORTED, bench().outcome(writer));
    assertFalse(writer.failure().isEmpty());
    return writer.failure();
  }

  @Test
  default void aFailedSendShowsBeforeTheEndIsAskedFor() {
    Split split = bench().split();
    Split missing = new Split(split.stream(), 7);
    TransactionalWriter writer = bench().openWriter();
    try {
      writer.send(missing, batch("nowhere"));
    } catch (LogException failure) {
      assertEquals(Kind.MISSING, failure.kind());
      return;
    }
    bench()
        .eventually(
            "the failed send shows",
            () -> {
              writer.send(split, batch("in vain"));
              Outcome outcome = writer.outcome();
              assertTrue(outcome == Outcome.OPEN || outcome == Outcome.ABORTED, outcome::name);
              return outcome == Outcome.ABORTED;
            });
    bench().write(writer, split, "yes");
    assertEquals(List.of("yes"), bench().values(split));
  }

  @Test
  default void aTransactionThatTakesTooLongIsAborted() {
    Split split = bench().split();
    TransactionalWriter writer =
        bench().writer(bench().uniqueName("writer"), Duration.ofSeconds(5));
    bench().open(writer);
    writer.send(split, batch("no"));
    // The marker of the abort may stand behind it by now.
    bench().eventually("the record arrived", () -> bench().offsets(split).end() >= 1);
    bench().awaitDecided(split);
    writer.commit();
    Outcome outcome = bench().outcome(writer);
    assertTrue(outcome == Outcome.FENCED || outcome == Outcome.ABORTED, outcome::name);
    assertFalse(writer.failure().isEmpty());
    assertEquals(List.of(), bench().values(split));
  }

  @Test
  default void theNextWriterEndsWhatAClosedOneLeftOpen() {
    Split split = bench().split();
    String id = bench().uniqueName("writer");
    TransactionalWriter first = bench().openWriter(id);
    bench().write(first, split, "yes");
    first.send(split, batch("no"));
    first.close();
    TransactionalWriter second = bench().openWriter(id);
    bench().write(second, split, "yes too");
    assertEquals(List.of("yes", "yes too"), bench().values(split));
  }
}
