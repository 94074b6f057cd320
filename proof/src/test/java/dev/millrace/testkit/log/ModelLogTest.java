package dev.millrace.testkit.log;

import static dev.millrace.testkit.log.LogFixture.ONE;
import static dev.millrace.testkit.log.LogFixture.TIMEOUT;
import static dev.millrace.testkit.log.LogFixture.ZERO;
import static dev.millrace.testkit.log.LogFixture.batch;
import static dev.millrace.testkit.log.LogFixture.drain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.OpenTransaction;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What the model does beyond the contract, as the broker does it.
class ModelLogTest {
  private static final ModelSettings LATE_MARKERS =
      ModelSettings.defaults().withMarkers(Delay.of(Duration.ofMillis(50)));

  private final LogFixture fixture = new LogFixture();
  private final ModelLog log = fixture.log;

  @Test
  void anEndIsAnsweredBeforeItsMarkersAreWritten() {
    LogFixture late = new LogFixture(1, LATE_MARKERS);
    TransactionalWriter writer = late.open("one", "w");
    writer.send(ZERO, batch("a", "b"));
    writer.commit();
    assertEquals(Outcome.COMMITTED, writer.outcome());
    assertEquals(2, writer.committedEnd(ZERO));
    assertEquals(new Log.Offsets(0, 0, 2), late.offsets(ZERO));
    assertEquals(List.of(), late.log.records("events"));
    late.log.advance(Duration.ofMillis(50));
    assertEquals(new Log.Offsets(0, 3, 3), late.offsets(ZERO));
    assertEquals(2, late.log.records("events").size());
  }

  @Test
  void withoutADelayMarkersAreWrittenBeforeTheAnswer() {
    LogFixture prompt = new LogFixture(1, ModelSettings.defaults().withMarkers(Delay.NONE));
    TransactionalWriter writer = prompt.open("one", "w");
    writer.send(ZERO, batch("a"));
    writer.commit();
    assertEquals(new Log.Offsets(0, 2, 2), prompt.offsets(ZERO));
    assertEquals(Outcome.COMMITTED, writer.outcome());
  }

  @Test
  void theMarkersOfOneTransactionComeAtDifferentTimes() {
    TransactionalWriter writer = fixture.open("one", "w");
    int different = 0;
    for (int i = 0; i < 20; i++) {
      writer.send(ZERO, batch("a"));
      writer.send(ONE, batch("b"));
      writer.commit();
      for (int step = 0; step < 50; step++) {
        log.advance(Duration.ofNanos(100_000));
        boolean zero = fixture.offsets(ZERO).stableEnd() == fixture.offsets(ZERO).end();
        boolean one = fixture.offsets(ONE).stableEnd() == fixture.offsets(ONE).end();
        different += zero == one ? 0 : 1;
      }
      assertEquals(Outcome.COMMITTED, fixture.outcome(writer));
    }
    assertTrue(different > 50, "Only " + different + " moments with one marker of two.");
  }

  @Test
  void theNextTransactionWaitsForTheMarkersOfTheLastOne() {
    LogFixture late = new LogFixture(1, LATE_MARKERS);
    TransactionalWriter writer = late.open("one", "w");
    late.write(writer, ZERO, "a");
    writer.send(ONE, batch("b"));
    writer.commit();
    late.log.advance(Duration.ofMillis(10));
    assertEquals(Outcome.PENDING, writer.outcome());
    assertEquals(0, late.offsets(ONE).end());
    late.log.advance(Duration.ofMillis(100));
    assertEquals(Outcome.COMMITTED, writer.outcome());
  }

  @Test
  void theEpochCountsUpWithEveryTransactionUntilTheIdChanges() {
    LogFixture few = new LogFixture(1, ModelSettings.defaults().withEpochs(5));
    TransactionalWriter writer = few.open("one", "w");
    List<WriterId> ids = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ids.add(writer.id());
      few.write(writer, ZERO, "a" + i);
    }
    assertEquals(8, new TreeSet<>(ids.stream().map(WriterId::toString).toList()).size());
    assertNotEquals(ids.getFirst().producerId(), ids.getLast().producerId());
    assertTrue(ids.stream().allMatch(id -> id.epoch() < 4), ids::toString);
    assertEquals(8, few.values(ZERO).size());
  }

  @Test
  void nothingMayBeSentBetweenTheEndAndItsOutcome() {
    TransactionalWriter writer = log.client("one").writer("w", TIMEOUT);
    assertThrows(IllegalStateException.class, () -> writer.send(ZERO, batch("a")));
    assertThrows(IllegalStateException.class, writer::commit);
    assertThrows(IllegalStateException.class, writer::outcome);
    assertThrows(IllegalStateException.class, writer::id);
    writer.open();
    writer.send(ZERO, batch("a"));
    writer.commit();
    assertThrows(IllegalStateException.class, () -> writer.send(ZERO, batch("b")));
    assertThrows(IllegalStateException.class, writer::commit);
    assertThrows(IllegalStateException.class, writer::abort);
    assertThrows(IllegalStateException.class, () -> writer.sendPositions("g", Map.of()));
    assertEquals(Outcome.COMMITTED, writer.outcome());
    writer.close();
    assertThrows(IllegalStateException.class, () -> writer.send(ZERO, batch("b")));
    assertEquals(List.of("a"), fixture.values(ZERO));
  }

  @Test
  void aTransactionThatTakesTooLongIsAbortedByTheLogAndItsWriterFenced() {
    TransactionalWriter writer = fixture.open("one", "w");
    fixture.write(writer, ZERO, "before");
    log.advance(TIMEOUT);
    writer.send(ZERO, batch("slow"));
    log.advance(TIMEOUT.minusMillis(100));
    assertEquals(1, log.undecided("events", 0).size());
    log.advance(Duration.ofMillis(200));
    assertEquals(List.of(), log.undecided("events", 0));
    assertEquals(Outcome.OPEN, writer.outcome());
    writer.commit();
    assertEquals(Outcome.FENCED, fixture.outcome(writer));
    assertEquals(Kind.FENCED, assertThrows(LogException.class, writer::open).kind());
    assertEquals(List.of("before"), fixture.values(ZERO));
    fixture.write(fixture.open("one", "w"), ZERO, "after");
    assertEquals(List.of("before", "after"), fixture.values(ZERO));
  }

  @Test
  void aWriterWhoseTransactionTookTooLongCannotBeOpenedAgain() {
    TransactionalWriter writer = fixture.open("one", "w");
    writer.send(ZERO, batch("slow"));
    log.advance(TIMEOUT);
    assertEquals(Kind.FENCED, assertThrows(LogException.class, writer::open).kind());
    TransactionalWriter aborting = fixture.open("one", "w");
    aborting.send(ZERO, batch("slow"));
    log.advance(TIMEOUT.plusSeconds(1));
    aborting.abort();
    assertEquals(Outcome.FENCED, fixture.outcome(aborting));
  }

  @Test
  void aTimeoutLongerThanTheLogTakesIsRefused() {
    TransactionalWriter writer = log.client("one").writer("w", Duration.ofHours(1));
    assertEquals(Kind.REFUSED, assertThrows(LogException.class, writer::open).kind());
  }

  @Test
  void aReleasedBatchIsOverwritten() {
    log.append("events", 0, "key", "value", 5);
    SplitReader reader = log.client("one").reader("r");
    reader.add(ZERO, Position.of(0));
    RecordBatch batch = reader.poll(Duration.ofDays(1));
    assertNotNull(batch);
    Bytes kept = batch.value(0, new Bytes());
    assertEquals("value", kept.toUtf8());
    assertEquals(1, log.batchesOut("one"));
    batch.release();
    assertEquals((byte) 0xDB, kept.get(0));
    assertThrows(IndexOutOfBoundsException.class, () -> batch.value(0, new Bytes()));
    assertEquals(0, log.batchesOut("one"));
    assertNull(reader.poll(Duration.ofDays(1)));
  }

  @Test
  void batchesEndAnywhere() {
    for (int i = 0; i < 2000; i++) {
      log.append("events", 0, "k", "v" + i, i);
    }
    SplitReader reader = log.client("one").reader("r");
    reader.add(ZERO, Position.of(0));
    TreeSet<Integer> sizes = new TreeSet<>();
    RecordBatch batch = reader.poll(Duration.ZERO);
    while (batch != null) {
      sizes.add(batch.size());
      batch.release();
      batch = reader.poll(Duration.ZERO);
    }
    assertEquals(1, sizes.first());
    assertEquals(16, sizes.last());
    assertTrue(sizes.size() > 10, sizes::toString);
  }

  @Test
  void everySplitComesInTurn() {
    for (int i = 0; i < 1000; i++) {
      log.append("events", i % 2, "k", "v", i);
    }
    SplitReader reader = log.client("one").reader("r");
    reader.add(ZERO, Position.of(0));
    reader.add(ONE, Position.of(0));
    List<Split> order = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      RecordBatch batch = reader.poll(Duration.ZERO);
      order.add(batch.split());
      batch.release();
    }
    int zeroFirst = 0;
    for (int i = 0; i < 40; i += 2) {
      assertNotEquals(order.get(i), order.get(i + 1), "In round " + i / 2);
      zeroFirst += order.get(i).equals(ZERO) ? 1 : 0;
    }
    assertTrue(zeroFirst > 3 && zeroFirst < 17, "The order varies: " + order);
  }

  @Test
  void theTimeOfTheLogReplacesTimestampsWhereTheTopicSaysSo() {
    log.createTopic(
        new TopicSpec("stamped", 1, -1, Map.of("message.timestamp.type", "LogAppendTime")));
    log.advance(Duration.ofMinutes(3));
    fixture.write(fixture.open("one", "w"), new Split("stamped", 0), "a");
    log.advance(Duration.ofMillis(5));
    long age = log.clock().millis() - log.records("stamped").getFirst().timestamp();
    assertTrue(age >= 0 && age <= 10, "The record seems " + age + " ms old.");
  }

  @Test
  void aTimestampFarInTheFutureIsRefused() {
    TransactionalWriter writer = fixture.open("one", "w");
    RecordBatch batch = RecordBatch.create();
    batch.append(0, log.clock().millis() + Duration.ofHours(2).toMillis());
    writer.send(ZERO, batch);
    assertEquals(Outcome.ABORTED, fixture.outcome(writer));
    assertTrue(writer.failure().contains("message.timestamp.after.max.ms"), writer.failure());
  }

  @Test
  void aHangingTransactionHoldsBackReadersUntilItIsAborted() {
    fixture.write(fixture.open("one", "w"), ZERO, "a");
    log.hang(ZERO, "w", null, "hanging");
    fixture.write(fixture.open("one", "w"), ZERO, "b");
    log.fence(List.of("w"));
    log.advance(Duration.ofHours(1));
    assertEquals(List.of("a"), fixture.values(ZERO));
    List<OpenTransaction> open = log.openTransactions(ZERO);
    assertEquals(1, open.size());
    assertEquals("w", open.getFirst().transactionalId());
    log.abortHanging(ZERO, open.getFirst());
    log.abortHanging(ZERO, open.getFirst());
    assertEquals(List.of("a", "b"), fixture.values(ZERO));
  }

  @Test
  void aPositionInATruncatedLogIsLostEvenIfTheLogHasGrownAgain() {
    for (int i = 0; i < 10; i++) {
      log.append("events", 0, "k", "old" + i, i);
    }
    SplitReader reader = log.client("one").reader("r");
    reader.add(ZERO, Position.of(0));
    assertEquals(10, drain(reader).size());
    Position position = new Position(10, log.position(ZERO, 10).detail());
    log.truncate(ZERO, 4);
    for (int i = 4; i < 20; i++) {
      log.append("events", 0, "k", "new" + i, i);
    }
    LogException failure = assertThrows(LogException.class, () -> reader.poll(Duration.ZERO));
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(ZERO, failure.split());
    assertThrows(LogException.class, () -> reader.poll(Duration.ZERO));
    reader.remove(ZERO);
    assertNull(reader.poll(Duration.ZERO));
    reader.add(ZERO, position);
    assertEquals("new10", drain(reader).getFirst().valueText(), "Nobody told an epoch here");
  }

  @Test
  void aPositionBeforeTheTruncationIsStillGood() {
    for (int i = 0; i < 10; i++) {
      log.append("events", 0, "k", "old" + i, i);
    }
    Position before = readTo(4);
    log.electLeader(ZERO);
    log.append("events", 0, "k", "old10", 1);
    Position behind = readTo(11);
    log.truncate(ZERO, 6);
    for (int i = 6; i < 20; i++) {
      log.append("events", 0, "k", "new" + i, i);
    }
    SplitReader reader = log.client("one").reader("r");
    reader.add(ZERO, before);
    List<String> values = drain(reader).stream().map(ModelRecord::valueText).toList();
    assertEquals(List.of("old4", "old5", "new6"), values.subList(0, 3));
    reader.remove(ZERO);
    LogException failure =
        assertThrows(
            LogException.class,
            () -> {
              reader.add(ZERO, behind);
              reader.poll(Duration.ZERO);
            });
    assertEquals(Kind.POSITION_LOST, failure.kind());
  }

  /// The position of a reader that has read so far.
  private Position readTo(long offset) {
    SplitReader reader = log.client("one").reader("to " + offset);
    reader.add(ZERO, Position.of(0));
    while (true) {
      RecordBatch batch = reader.poll(Duration.ZERO);
      for (int i = 0; i <= batch.size(); i++) {
        if (batch.position(i).offset() == offset) {
          return batch.position(i);
        }
      }
      batch.release();
    }
  }

  @Test
  void aTruncatedMarkerLeavesAHangingTransaction() {
    TransactionalWriter writer = fixture.open("one", "w");
    fixture.write(writer, ZERO, "a");
    fixture.values(ZERO);
    log.truncate(ZERO, 1);
    assertEquals(new Log.Offsets(0, 0, 1), fixture.offsets(ZERO));
    OpenTransaction hanging = log.openTransactions(ZERO).getFirst();
    log.abortHanging(ZERO, hanging);
    assertEquals(new Log.Offsets(0, 2, 2), fixture.offsets(ZERO));
    assertEquals(List.of(), fixture.values(ZERO));
  }

  @Test
  void positionsSentLastWinWhoeverIsDecidedLast() {
    LogFixture late = new LogFixture(1, LATE_MARKERS);
    TransactionalWriter old = late.open("one", "old");
    TransactionalWriter taker = late.open("two", "new");
    old.sendPositions("g", Map.of(ZERO, Position.of(5)));
    taker.sendPositions("g", Map.of(ZERO, Position.of(9)));
    taker.commit();
    late.log.advance(Duration.ofMillis(10));
    old.commit();
    late.log.advance(Duration.ofMillis(45));
    assertEquals(Map.of(ZERO, 9L), late.log.committedPositions("g"));
    late.log.advance(Duration.ofMillis(45));
    assertEquals(Map.of(ZERO, 9L), late.log.committedPositions("g"));
    late.log.resetPositions("g", Map.of(ZERO, 0L));
    assertEquals(Map.of(ZERO, 0L), late.log.committedPositions("g"));
  }

  @Test
  void aPositionTellsTopicAndLeaderEpoch() {
    log.electLeader(ZERO);
    log.append("events", 0, "k", "v", 1);
    byte[] detail = readTo(1).detail();
    assertEquals(20, detail.length);
    assertTrue(Arrays.equals(log.position(ZERO, 0).detail(), 0, 16, detail, 0, 16));
    assertEquals(1, detail[19]);
  }
}
