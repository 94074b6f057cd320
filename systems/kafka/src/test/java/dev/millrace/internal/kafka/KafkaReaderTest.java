package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Headers;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

public class KafkaReaderTest {
  private LogBench bench;

  /// A subclass takes the other one.
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }

  /// How many bytes a batch of several records has at most. Kafka's batches are not divided: one
  /// more may come to what is nearly enough.
  int mostBytes() {
    return 600 << 10;
  }

  /// How many batches 5 MB of small records come in, at least.
  int fewestBatches() {
    return 20;
  }

  @BeforeEach
  void open() {
    bench = new LogBench(SharedEmbeddedKafka.bootstrapServers(), dataPlane());
  }

  /// Takes no more than 1 MB of a split at once.
  private void openWithSmallFetches() throws Exception {
    bench.close();
    Map<String, String> fetching = Map.of("max.partition.fetch.bytes", "1048576");
    bench = new LogBench(SharedEmbeddedKafka.bootstrapServers(), dataPlane(), fetching);
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  /// Records of any shape, drawn from a seed: null, empty and long keys and values, headers, times.
  private static RecordBatch drawn(Random random, int count, int longest) {
    RecordBatch batch = RecordBatch.create();
    for (int i = 0; i < count; i++) {
      batch.append(i, LogBench.TIME + random.nextInt(1000));
      if (random.nextInt(4) > 0) {
        byte[] key = new byte[random.nextInt(20)];
        random.nextBytes(key);
        batch.key(key, 0, key.length);
      }
      if (random.nextInt(8) > 0) {
        byte[] value = new byte[random.nextInt(longest)];
        random.nextBytes(value);
        batch.value(value, 0, value.length);
      }
      if (random.nextInt(5) == 0) {
        int start = batch.data().length();
        Headers.begin(2, batch.data());
        Headers.write("number", new byte[] {(byte) i}, batch.data());
        Headers.write("nothing", null, batch.data());
        batch.endHeaders(start);
      }
    }
    return batch;
  }

  /// What is read of a record, without its offset.
  private static List<Object> content(ModelRecord record) {
    List<Object> content = new ArrayList<>();
    content.add(record.timestamp());
    content.add(String.valueOf(record.key()));
    content.add(String.valueOf(record.value()));
    content.add(String.valueOf(record.headers()));
    return content;
  }

  private void checkRoundTrip(long seed, int partitions, int batches, int count, int longest) {
    Random random = new Random(seed);
    List<Split> splits = bench.splits(partitions, Map.of());
    Map<Split, List<ModelRecord>> sent = new TreeMap<>();
    TransactionalWriter writer = bench.openWriter();
    for (int i = 0; i < batches; i++) {
      for (Split split : splits) {
        RecordBatch batch = drawn(random, count, longest);
        sent.computeIfAbsent(split, key -> new ArrayList<>()).addAll(ModelRecord.listOf(batch));
        writer.send(split, batch);
      }
    }
    LogBench.commit(writer);
    SplitReader reader = bench.reader();
    splits.forEach(split -> reader.add(split, Position.of(0)));
    Map<Split, List<ModelRecord>> read = new TreeMap<>();
    int left = partitions * batches * count;
    while (left > 0) {
      RecordBatch batch = LogBench.next(reader);
      assertTrue(
          batch.size() <= 1 || batch.dataLength() <= mostBytes(),
          () -> batch + " has " + batch.dataLength() + " bytes");
      read.computeIfAbsent(batch.split(), key -> new ArrayList<>())
          .addAll(ModelRecord.listOf(batch));
      left -= batch.size();
      batch.release();
    }
    for (Split split : splits) {
      List<ModelRecord> expected = sent.get(split);
      List<ModelRecord> found = read.get(split);
      assertEquals(expected.size(), found.size(), () -> "With seed " + seed + ", " + split);
      for (int i = 0; i < expected.size(); i++) {
        assertEquals(i, found.get(i).offset());
        assertEquals(content(expected.get(i)), content(found.get(i)), "With seed " + seed);
      }
    }
  }

  @Test
  void recordsOfOneSplitKeepTheirBytes() {
    checkRoundTrip(1, 1, 5, 1500, 150);
  }

  @Test
  void recordsOfManySplitsInOnePollKeepTheirBytes() {
    checkRoundTrip(2, 8, 2, 60, 100);
  }

  @Test
  void largeRecordsComeInBatchesOfBoundedSize() {
    checkRoundTrip(3, 2, 4, 40, 60_000);
  }

  @Test
  void aRecordThatIsLargerThanABatchComesAlone() {
    Split split = bench.split();
    TransactionalWriter writer = bench.openWriter();
    String large = "x".repeat(900_000);
    bench.write(writer, split, "before", large, "after");
    assertEquals(List.of("before", large, "after"), bench.values(split));
  }

  @Test
  void compressedRecordsAreRead() throws Exception {
    try (LogBench compressing =
        new LogBench(
            SharedEmbeddedKafka.bootstrapServers(),
            dataPlane(),
            Map.of("compression.type", "gzip"))) {
      Split split = bench.split();
      TransactionalWriter writer = compressing.openWriter();
      String large = "abc".repeat(500_000);
      compressing.write(writer, split, "one", large, "two");
      assertEquals(List.of("one", large, "two"), bench.values(split));
    }
  }

  @Test
  void positionsMoveOverWhatNobodyGetsByBatchesWithoutRecords() {
    Split split = bench.split();
    TransactionalWriter writer = bench.openWriter();
    bench.write(writer, split, "a");
    for (int i = 0; i < 3; i++) {
      // The marker of the transaction before may arrive behind the answer to its end.
      bench.awaitDecided(split);
      long before = bench.log.offsets(List.of(split)).get(split).end();
      writer.send(split, bench.batch("no", "no"));
      LogBench.await(
          "the records arrived",
          () -> bench.log.offsets(List.of(split)).get(split).end() == before + 2);
      LogBench.abort(writer);
    }
    bench.awaitDecided(split);
    long end = bench.log.offsets(List.of(split)).get(split).end();
    assertEquals(2 + 3 * 3, end);
    SplitReader reader = bench.reader();
    // Behind the only record.
    reader.add(split, Position.of(1));
    long next = 1;
    while (next < end) {
      RecordBatch batch = LogBench.next(reader);
      assertEquals(0, batch.size());
      assertEquals(split, batch.split());
      assertTrue(batch.nextOffset() > next);
      next = batch.nextOffset();
      assertEquals(next, batch.position(0).offset());
      assertEquals(20, batch.position(0).detail().length);
      batch.release();
    }
    assertEquals(end, next);
    assertEquals(end, reader.endOffset(split));
    assertNull(reader.poll(Duration.ofMillis(20)));
  }

  @Test
  void positionsHoldTopicIdAndLeaderEpochInAnArrayThatIsShared() {
    Split split = bench.split();
    TransactionalWriter writer = bench.openWriter();
    bench.write(writer, split, "a");
    SplitReader reader = bench.reader();
    reader.add(split, Position.of(0));
    RecordBatch first = LogBench.next(reader);
    byte[] detail = first.position(0).detail();
    first.release();
    PositionDetail decoded = PositionDetail.decode(detail);
    String id = bench.log.topics(List.of(split.stream())).get(split.stream()).id();
    assertEquals(new PositionDetail(Uuid.fromString(id), 0), decoded);
    assertArrayEquals(detail, decoded.encode());
    bench.write(writer, split, "b");
    RecordBatch second = LogBench.next(reader);
    assertSame(detail, second.position(0).detail());
    second.release();
  }

  @Test
  void splitsComeInTurn() throws Exception {
    openWithSmallFetches();
    List<Split> splits = bench.splits(2, Map.of());
    TransactionalWriter writer = bench.openWriter();
    String[] values = new String[4_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = "%0100d".formatted(i);
    }
    for (int i = 0; i < 10; i++) {
      for (Split split : splits) {
        writer.send(split, bench.batch(values));
      }
    }
    LogBench.commit(writer);
    SplitReader reader = bench.reader();
    splits.forEach(split -> reader.add(split, Position.of(0)));
    int left = 2 * 10 * values.length;
    int run = 0;
    int longest = 0;
    Split last = null;
    Map<Split, Integer> leftOf = new TreeMap<>();
    splits.forEach(split -> leftOf.put(split, left / 2));
    for (int read = 0; read < left; ) {
      RecordBatch batch = LogBench.next(reader);
      run = batch.split().equals(last) ? run + 1 : 1;
      last = batch.split();
      leftOf.merge(last, -batch.size(), Integer::sum);
      read += batch.size();
      batch.release();
      if (leftOf.values().stream().allMatch(some -> some > 0)) {
        longest = Math.max(longest, run);
      }
    }
    int most = longest;
    // What is fetched at once of a partition is about six batches.
    assertTrue(longest <= 14, () -> "One split came " + most + " times in a row");
  }

  @Test
  void aPausedSplitIsFetchedAheadALittleAndKeepsItsOrder() {
    List<Split> splits = bench.splits(2, Map.of());
    TransactionalWriter writer = bench.openWriter();
    String[] values = new String[30_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = Integer.toString(i);
    }
    writer.send(splits.get(0), bench.batch(values));
    writer.send(splits.get(1), bench.batch("other"));
    LogBench.commit(writer);
    SplitReader reader = bench.reader();
    splits.forEach(split -> reader.add(split, Position.of(0)));
    reader.pause(splits.get(0));
    RecordBatch other = LogBench.next(reader);
    assertEquals(splits.get(1), other.split());
    other.release();
    for (int i = 0; i < 20; i++) {
      RecordBatch batch = reader.poll(Duration.ofMillis(5));
      if (batch != null) {
        assertEquals(splits.get(1), batch.split());
        batch.release();
      }
    }
    reader.resume(splits.get(0));
    int expected = 0;
    while (expected < values.length) {
      RecordBatch batch = LogBench.next(reader);
      for (ModelRecord record : ModelRecord.listOf(batch)) {
        assertEquals(Integer.toString(expected++), record.valueText());
      }
      batch.release();
    }
  }

  @Test
  void releasedBatchesAreUsedAgain() throws Exception {
    openWithSmallFetches();
    Split split = bench.split();
    TransactionalWriter writer = bench.openWriter();
    String[] values = new String[20_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = "%050d".formatted(i);
    }
    for (int i = 0; i < 5; i++) {
      writer.send(split, bench.batch(values));
    }
    LogBench.commit(writer);
    SplitReader reader = bench.reader();
    reader.add(split, Position.of(0));
    Set<RecordBatch> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    int batches = 0;
    for (int read = 0; read < 5 * values.length; batches++) {
      RecordBatch batch = LogBench.next(reader);
      seen.add(batch);
      read += batch.size();
      batch.release();
    }
    int all = batches;
    assertTrue(batches >= fewestBatches(), () -> "Only " + all + " batches");
    assertTrue(seen.size() <= 6, () -> seen.size() + " batches were made for " + all);
  }

  @Test
  void aLostPositionIsExplained() {
    Split split = bench.split();
    bench.write(bench.openWriter(), split, "a", "b", "c");
    bench.awaitDecided(split);
    bench.log.deleteBefore(Map.of(split, 2L));
    assertMessage(
        lost(split, Position.of(1)), "Position 1 of " + split, "starts at 2", "retention");
    assertMessage(lost(split, Position.of(77)), "Position 77 of " + split, "ends at 4");
    String id = bench.log.topics(List.of(split.stream())).get(split.stream()).id();
    Position strange = new Position(3, new PositionDetail(Uuid.fromString(id), 9).encode());
    assertMessage(lost(split, strange), "Position 3 of " + split, "leader epoch 9", "after 0");
    Uuid other = Uuid.randomUuid();
    Position foreign = new Position(3, new PositionDetail(other, 0).encode());
    assertMessage(lost(split, foreign), "Position 3 of " + split, other.toString(), id);
    assertMessage(lost(split, Position.of(-1)), "Position -1 of " + split);
  }

  private LogException lost(Split split, Position position) {
    SplitReader reader = bench.reader();
    reader.add(split, position);
    LogException failure =
        assertThrows(
            LogException.class,
            () -> {
              while (true) {
                assertNull(reader.poll(Duration.ofMillis(100)));
              }
            });
    assertEquals(Kind.POSITION_LOST, failure.kind());
    assertEquals(split, failure.split());
    assertSame(failure, assertThrows(LogException.class, () -> reader.poll(Duration.ZERO)));
    reader.remove(split);
    assertNull(reader.poll(Duration.ZERO));
    return failure;
  }

  private static void assertMessage(LogException failure, String... parts) {
    String message = String.valueOf(failure.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "Not '" + part + "' in: " + message);
    }
  }

  @Test
  void aReaderWithoutSplitsWaits() {
    SplitReader reader = bench.reader();
    long start = System.nanoTime();
    assertNull(reader.poll(Duration.ofMillis(50)));
    assertTrue(System.nanoTime() - start >= 49_000_000, "It did not wait");
    Thread.ofPlatform()
        .start(() -> {
          LogBench.sleep(20);
          reader.wakeup();
        });
    assertNull(reader.poll(Duration.ofMinutes(5)));
  }
}
