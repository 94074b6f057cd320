package dev.millrace.testkit.contract;

import static dev.millrace.testkit.contract.LogBench.TIME;
import static dev.millrace.testkit.contract.LogBench.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Headers;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The part of [LogContract] about readers.
interface LogReadContract {
  LogBench bench();

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  private void writeNumbers(Split split, int from, int to) {
    TransactionalWriter writer = bench().openWriter();
    for (int i = from; i < to; i += 10) {
      List<String> some = numbers(i, Math.min(to, i + 10));
      writer.send(split, batch(some.toArray(String[]::new)));
    }
    bench().commit(writer);
  }

  @Test
  default void recordsComeInOrder() {
    Split split = bench().split();
    writeNumbers(split, 0, 100);
    assertEquals(numbers(0, 100), bench().values(split));
  }

  @Test
  default void keysValuesHeadersAndTimestampsComeAsTheyWereSent() {
    Split split = bench().split();
    RecordBatch batch = RecordBatch.create();
    byte[] some = "some".getBytes(StandardCharsets.UTF_8);
    batch.append(0, TIME);
    batch.append(1, TIME - 5);
    batch.key(some, 0, 0);
    batch.value(some, 0, 0);
    batch.append(2, 0);
    batch.key(some, 1, 2);
    batch.value(some, 0, 4);
    int start = batch.data().length();
    Headers.begin(3, batch.data());
    Headers.write("h", some, batch.data());
    Headers.write("h", null, batch.data());
    Headers.write("ü", new byte[0], batch.data());
    batch.endHeaders(start);
    batch.append(3, TIME + 7);
    batch.value(new byte[] {0, -1, 127, -128}, 0, 4);
    TransactionalWriter writer = bench().openWriter();
    writer.send(split, batch);
    bench().commit(writer);

    Bytes none = Bytes.of(new byte[0]);
    List<ModelRecord.Header> headers =
        List.of(
            new ModelRecord.Header("h", Bytes.of(some)),
            new ModelRecord.Header("h", null),
            new ModelRecord.Header("ü", none));
    assertEquals(
        List.of(
            new ModelRecord(0, TIME, null, null, List.of()),
            new ModelRecord(1, TIME - 5, none, none, List.of()),
            new ModelRecord(2, 0, Bytes.ofUtf8("om"), Bytes.ofUtf8("some"), headers),
            new ModelRecord(3, TIME + 7, null, Bytes.of(new byte[] {0, -1, 127, -128}), List.of())),
        bench().records(split));
  }

  @Test
  default void nextOffsetMovesPastMarkersAndAbortedRecords() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    bench().write(writer, split, "a", "b");
    writer.send(split, batch("no"));
    bench().eventually("the record arrived", () -> bench().offsets(split).end() == 4);
    bench().abort(writer);
    bench().awaitDecided(split);
    long end = bench().offsets(split).end();
    assertTrue(end > 3, "Markers take offsets, but the end is " + end);
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.readTo(split, end);
    assertEquals(end, reading.next(split));
    assertEquals(List.of("a", "b"), reading.values(split));
  }

  @Test
  default void endOffsetSaysWhereTheStableEndIs() {
    Split split = bench().split();
    TransactionalWriter writer = bench().openWriter();
    bench().write(writer, split, "a", "b", "c");
    bench().awaitDecided(split);
    long stableEnd = bench().offsets(split).end();
    TransactionalWriter other = bench().openWriter();
    other.send(split, batch("undecided"));
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    bench()
        .eventually(
            "the reader knows the end",
            () -> {
              reading.step();
              long end = reading.reader().endOffset(split);
              assertTrue(end <= stableEnd, () -> "The end is " + stableEnd + ", not " + end);
              return end == stableEnd && reading.next(split) == end;
            });
    bench().commit(other);
    bench()
        .eventually(
            "the reader knows the new end",
            () -> {
              reading.step();
              return reading.reader().endOffset(split) > stableEnd + 1;
            });
  }

  @Test
  default void aReaderAtTheEndWaitsForWhatComes() {
    Split split = bench().split();
    writeNumbers(split, 0, 5);
    bench().awaitDecided(split);
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(bench().offsets(split).end()));
    reading.readABit();
    assertEquals(List.of(), reading.values(split));
    writeNumbers(split, 5, 10);
    reading.readRecords(split, 5);
    assertEquals(numbers(5, 10), reading.values(split));
  }

  @Test
  default void readingGoesOnInsideABatch() {
    Split split = bench().split();
    writeNumbers(split, 0, 40);
    bench().awaitDecided(split);
    SplitReader reader = bench().log().reader(bench().uniqueName("reader"));
    reader.add(split, Position.of(0));
    List<String> values = new ArrayList<>();
    while (values.size() < 40) {
      RecordBatch batch = bench().awaiting("a batch comes", () -> reader.poll(Duration.ZERO));
      List<ModelRecord> records = ModelRecord.listOf(batch);
      int used = (records.size() + 1) / 2;
      records.subList(0, used).forEach(record -> values.add(LogBench.text(record)));
      Position position = batch.position(used);
      assertEquals(
          used < records.size() ? records.get(used).offset() : batch.nextOffset(),
          position.offset());
      batch.release();
      reader.remove(split);
      reader.add(split, position);
    }
    assertEquals(numbers(0, 40), values);
    reader.close();
  }

  @Test
  default void readingAgainAtAnotherPositionIsARemoveAndAnAdd() {
    Split split = bench().split();
    writeNumbers(split, 0, 20);
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.readRecords(split, 20);
    for (int from : new int[] {7, 0, 19, 13}) {
      reading.reader().remove(split);
      reading.forget(split);
      reading.reader().add(split, Position.of(from));
      reading.readRecords(split, 20 - from);
      assertEquals(numbers(from, 20), reading.values(split));
    }
  }

  @Test
  default void aPausedSplitIsSilentAndKeepsItsPosition() {
    List<Split> splits = bench().twoSplits();
    Split paused = splits.get(0);
    Split other = splits.get(1);
    writeNumbers(paused, 0, 10);
    LogReading reading = bench().reading();
    reading.reader().add(paused, Position.of(0));
    reading.reader().add(other, Position.of(0));
    reading.readRecords(paused, 10);
    reading.reader().pause(paused);
    writeNumbers(paused, 10, 30);
    writeNumbers(other, 0, 10);
    reading.readRecords(other, 10);
    reading.readABit();
    assertEquals(numbers(0, 10), reading.values(paused));
    reading.reader().resume(paused);
    reading.readRecords(paused, 30);
    assertEquals(numbers(0, 30), reading.values(paused));
    assertEquals(numbers(0, 10), reading.values(other));
  }

  @Test
  default void aSplitPausedBeforeItsFirstBatchIsSilent() {
    Split split = bench().split();
    writeNumbers(split, 0, 10);
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.reader().pause(split);
    reading.readABit();
    assertEquals(List.of(), reading.values(split));
    reading.reader().resume(split);
    reading.readRecords(split, 10);
  }

  @Test
  default void aRemovedSplitComesNoMoreAndItsBatchesStayValid() {
    List<Split> splits = bench().twoSplits();
    Split removed = splits.get(0);
    Split other = splits.get(1);
    writeNumbers(removed, 0, 100);
    bench().awaitDecided(removed);
    LogReading reading = bench().reading();
    reading.reader().add(removed, Position.of(0));
    RecordBatch batch =
        bench().awaiting("a batch comes", () -> reading.reader().poll(Duration.ZERO));
    List<ModelRecord> before = ModelRecord.listOf(batch);
    reading.reader().remove(removed);
    reading.reader().add(other, Position.of(0));
    writeNumbers(other, 0, 10);
    reading.readRecords(other, 10);
    reading.readABit();
    assertEquals(List.of(), reading.values(removed));
    assertEquals(before, ModelRecord.listOf(batch));
    batch.release();
  }

  @Test
  default void aRetainedBatchIsValidUntilItsLastRelease() {
    Split split = bench().split();
    writeNumbers(split, 0, 10);
    SplitReader reader = bench().log().reader(bench().uniqueName("reader"));
    reader.add(split, Position.of(0));
    RecordBatch batch = bench().awaiting("a batch comes", () -> reader.poll(Duration.ZERO));
    List<ModelRecord> before = ModelRecord.listOf(batch);
    batch.retain();
    batch.release();
    assertEquals(before, ModelRecord.listOf(batch));
    batch.release();
    assertThrows(IllegalStateException.class, batch::release);
    reader.close();
  }

  @Test
  default void everySplitIsReadToItsEnd() {
    String topic = bench().topic(4, Map.of());
    LogReading reading = bench().reading();
    for (int i = 0; i < 4; i++) {
      Split split = new Split(topic, i);
      reading.reader().add(split, Position.of(0));
      writeNumbers(split, 0, 100 * (i + 1));
    }
    for (int i = 0; i < 4; i++) {
      Split split = new Split(topic, i);
      reading.readRecords(split, 100 * (i + 1));
      assertEquals(numbers(0, 100 * (i + 1)), reading.values(split));
    }
  }

  private LogException failureOfAdding(LogReading reading, Split split, Position start) {
    try {
      reading.reader().add(split, start);
    } catch (LogException failure) {
      return failure;
    }
    return failureOf(reading);
  }

  private LogException failureOf(LogReading reading) {
    return bench()
        .awaiting(
            "reading fails",
            () -> {
              try {
                reading.step();
                return null;
              } catch (LogException failure) {
                return failure.kind() == Kind.UNAVAILABLE ? null : failure;
              }
            });
  }

  @Test
  default void aPositionBehindTheEndIsLostAndOthersAreReadOn() {
    List<Split> splits = bench().twoSplits();
    Split lost = splits.get(0);
    Split other = splits.get(1);
    writeNumbers(lost, 0, 3);
    writeNumbers(other, 0, 10);
    bench().awaitDecided(lost);
    LogReading reading = bench().reading();
    LogException failure = failureOfAdding(reading, lost, Position.of(1000));
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(lost, failure.split());
    assertTrue(String.valueOf(failure.getMessage()).contains("1000"), failure.getMessage());
    reading.reader().remove(lost);
    reading.reader().add(other, Position.of(0));
    reading.readRecords(other, 10);
    assertEquals(List.of(), reading.values(lost));
  }

  @Test
  default void aPositionBelowTheStartIsLost() {
    Split split = bench().split();
    writeNumbers(split, 0, 10);
    bench().awaitDecided(split);
    bench().log().deleteBefore(Map.of(split, 5L));
    bench().eventually("the start moves", () -> bench().offsets(split).start() == 5);
    LogException failure = failureOfAdding(bench().reading(), split, Position.of(4));
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(split, failure.split());
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(5));
    reading.readRecords(split, 5);
    assertEquals(numbers(5, 10), reading.values(split));
  }

  @Test
  default void aPositionInATopicThatWasCreatedAgainIsLost() {
    Split split = bench().split();
    writeNumbers(split, 0, 10);
    SplitReader reader = bench().log().reader(bench().uniqueName("reader"));
    reader.add(split, Position.of(0));
    RecordBatch batch = bench().awaiting("a batch comes", () -> reader.poll(Duration.ZERO));
    Position position = batch.position(batch.size());
    batch.release();
    reader.close();
    bench().subject().deleteTopic(split.stream());
    bench().createTopic(split.stream(), 1, Map.of());
    writeNumbers(split, 0, 20);
    bench().awaitDecided(split);
    LogException failure = failureOfAdding(bench().reading(), split, position);
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(split, failure.split());
  }

  @Test
  default void aReaderNeverMovesIntoATopicThatWasCreatedAgain() {
    Split split = bench().split();
    writeNumbers(split, 0, 10);
    LogReading reading = bench().reading();
    reading.reader().add(split, Position.of(0));
    reading.readRecords(split, 10);
    bench().subject().deleteTopic(split.stream());
    bench().createTopic(split.stream(), 1, Map.of());
    writeNumbers(split, 1000, 1050);
    bench().awaitDecided(split);
    LogException failure = failureOf(reading);
    assertTrue(
        failure.kind() == Kind.POSITION_LOST || failure.kind() == Kind.MISSING,
        failure.getMessage());
    assertEquals(numbers(0, 10), reading.values(split));
  }

  @Test
  default void aSplitThatDoesNotExistIsMissing() {
    Split split = bench().split();
    Split missing = new Split(split.stream(), 5);
    LogException failure = failureOfAdding(bench().reading(), missing, Position.of(0));
    assertEquals(Kind.MISSING, failure.kind());
    assertEquals(missing, failure.split());
  }

  @Test
  default void aWaitingPollEndsAtAWakeup() throws InterruptedException {
    Split split = bench().split();
    SplitReader reader = bench().log().reader(bench().uniqueName("reader"));
    reader.add(split, Position.of(0));
    AtomicBoolean done = new AtomicBoolean();
    Thread waker =
        Thread.ofPlatform()
            .start(() -> {
              while (!done.get()) {
                bench().subject().letTimePass();
                reader.wakeup();
              }
            });
    assertNull(reader.poll(Duration.ofMinutes(10)));
    done.set(true);
    waker.join(Duration.ofSeconds(30));
    assertFalse(waker.isAlive());
    reader.close();
  }

  @Test
  default void aPollThatMayNotWaitReturnsAtOnce() {
    Split split = bench().split();
    SplitReader reader = bench().log().reader(bench().uniqueName("reader"));
    reader.add(split, Position.of(0));
    for (int i = 0; i < 100; i++) {
      assertNull(reader.poll(Duration.ZERO));
    }
    reader.close();
  }
}
