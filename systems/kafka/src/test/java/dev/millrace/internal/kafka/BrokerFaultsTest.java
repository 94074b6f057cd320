package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What happens to readers and writers when their broker stands still, dies, cleans or is an old
/// one. Each class has a broker of its own: classes run side by side.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokerFaultsTest {
  /// For writers whose broker stands still: three tries of a commit take two seconds.
  private static final Map<String, String> IMPATIENT = Map.of("max.block.ms", "700");

  private BrokerProcess broker;

  private LogBench bench;
  private LogBench impatient;

  @BeforeAll
  void startBroker(@TempDir Path directory) throws Exception {
    broker = new BrokerProcess(directory, "log.cleaner.backoff.ms=100");
  }

  @AfterAll
  void endBroker() throws Exception {
    broker.close();
  }

  /// A subclass takes the other one.
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }

  @BeforeEach
  void open() {
    bench = new LogBench(broker.servers(), dataPlane());
    impatient = new LogBench(broker.servers(), dataPlane(), IMPATIENT);
  }

  @AfterEach
  void close() throws Exception {
    impatient.close();
    bench.close();
  }

  private long end(Split split) {
    return bench.log.offsets(List.of(split)).get(split).end();
  }

  /// A writer that waits for a broker which stands still to commit `b`; `a` is committed.
  private TransactionalWriter unknown(Split split, String id) throws Exception {
    TransactionalWriter writer = impatient.openWriter(id, LogBench.TIMEOUT);
    bench.writeInTheEnd(writer, split, "a");
    bench.awaitDecided(split);
    long end = end(split);
    writer.send(split, bench.batch("b"));
    LogBench.await("b arrived", () -> end(split) > end);
    broker.stop();
    try {
      writer.commit();
      assertEquals(Outcome.UNKNOWN, LogBench.outcome(writer));
      assertEquals(Outcome.UNKNOWN, writer.outcome());
      assertTrue(writer.failure().contains(id), writer::failure);
      assertEquals(Kind.UNAVAILABLE, assertThrows(LogException.class, writer::open).kind());
    } finally {
      broker.go();
    }
    return writer;
  }

  @Test
  void openingDecidesAnUnknownOutcome() throws Exception {
    Split split = bench.split();
    try (TransactionalWriter writer = unknown(split, LogBench.uniqueName("writer"))) {
      LogBench.eventually("the writer is open again", writer::open);
      bench.awaitDecided(split);
      List<String> decided = bench.values(split);
      assertTrue(
          decided.equals(List.of("a")) || decided.equals(List.of("a", "b")), decided::toString);
      bench.writeInTheEnd(writer, split, "c");
      List<String> expected = new ArrayList<>(decided);
      expected.add("c");
      assertEquals(expected, bench.values(split));
    }
  }

  @Test
  void aWriterWithAnUnknownOutcomeDoesNotBarItsSuccessor() throws Exception {
    Split split = bench.split();
    String id = LogBench.uniqueName("writer");
    try (TransactionalWriter old = unknown(split, id);
        TransactionalWriter successor = bench.log.writer(id, LogBench.TIMEOUT)) {
      LogBench.eventually("the successor is open", successor::open);
      LogException failure =
          assertThrows(
              LogException.class, () -> LogBench.eventually("the old one is open", old::open));
      assertEquals(Kind.FENCED, failure.kind());
      assertEquals(Outcome.FENCED, old.outcome());
      bench.write(successor, split, "c");
      List<String> values = bench.values(split);
      assertEquals("c", values.getLast());
    }
  }

  @Test
  void closingDoesNotWaitForABrokerThatStandsStill() throws Exception {
    Split split = bench.split();
    String id = LogBench.uniqueName("closing");
    KafkaLog log =
        KafkaLog.connect(
            KafkaLogSettings.of(broker.servers(), "closing")
                .withDataPlane(dataPlane())
                .withProperties(IMPATIENT));
    TransactionalWriter writer = log.writer(id, LogBench.TIMEOUT);
    LogBench.eventually("the writer is open", writer::open);
    SplitReader reader = log.reader("reader");
    reader.add(split, Position.of(0));
    bench.writeInTheEnd(writer, split, "a");
    LogBench.next(reader).release();
    broker.stop();
    long start = System.nanoTime();
    try {
      writer.send(split, bench.batch("no"));
      writer.sendOutside(split, bench.batch("perhaps"));
      writer.commit();
      writer.close();
      reader.close();
      log.close();
    } finally {
      broker.go();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(took.compareTo(Duration.ofSeconds(12)) < 0, took::toString);
    LogBench.await(
        "no thread is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains("closing")));
  }

  @Test
  void readersAndWritersGoOnAfterTheBrokerDied() throws Exception {
    Split split = bench.split();
    try (TransactionalWriter writer =
        bench.log.writer(LogBench.uniqueName("writer"), LogBench.TIMEOUT)) {
      LogBench.eventually("the writer is open", writer::open);
      SplitReader reader = bench.reader();
      reader.add(split, Position.of(0));
      List<String> expected = new ArrayList<>();
      List<String> read = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        bench.write(writer, split, "before " + i);
        expected.add("before " + i);
      }
      read(reader, read, 10);
      writer.send(split, bench.batch("on its way"));
      broker.kill();
      writer.commit();
      broker.restart();
      Outcome outcome = LogBench.outcome(writer);
      if (outcome != Outcome.COMMITTED) {
        LogBench.eventually("the writer is open again", writer::open);
      }
      if (bench.values(split).contains("on its way")) {
        assertFalse(outcome == Outcome.ABORTED, "It was told that it is aborted");
        expected.add("on its way");
      } else {
        assertFalse(outcome == Outcome.COMMITTED, "It was told that it is committed");
      }
      bench.write(writer, split, "after");
      expected.add("after");
      read(reader, read, expected.size());
      assertEquals(expected, read);
    }
  }

  private static void read(SplitReader reader, List<String> values, int count) {
    while (values.size() < count) {
      RecordBatch batch = LogBench.next(reader);
      for (int i = 0; i < batch.size(); i++) {
        values.add(batch.value(i, new Bytes()).toUtf8());
      }
      batch.release();
    }
  }

  @Test
  void positionsMoveOverWhatTheCleanerRemoved() {
    Split split =
        bench
            .splits(
                1,
                Map.of(
                    "cleanup.policy", "compact",
                    "min.cleanable.dirty.ratio", "0.001",
                    "segment.bytes", Integer.toString(1 << 20)))
            .getFirst();
    TransactionalWriter writer = bench.openWriter();
    byte[] filling = new byte[1000];
    for (int i = 0; i < 40; i++) {
      RecordBatch batch = RecordBatch.create();
      for (int j = 0; j < 50; j++) {
        batch.append(0, LogBench.TIME);
        byte[] key = ("key " + j).getBytes(StandardCharsets.UTF_8);
        batch.key(key, 0, key.length);
        batch.value(filling, 0, filling.length);
      }
      writer.send(split, batch);
      LogBench.commit(writer);
    }
    bench.awaitDecided(split);
    long end = end(split);
    TreeMap<Long, Position> left = new TreeMap<>();
    LogBench.await(
        "most records are removed, and no more will be",
        () -> {
          Set<Long> before = new TreeSet<>(left.keySet());
          left.clear();
          readAll(split, Position.of(0), end, left);
          return left.size() < 1200 && left.keySet().equals(before);
        });
    // Reading goes on in a gap, too, and at the end of what was removed.
    Position gap = Position.of(left.firstKey() / 2);
    TreeMap<Long, Position> again = new TreeMap<>();
    readAll(split, gap, end, again);
    assertEquals(left.keySet(), again.keySet());
    Map.Entry<Long, Position> middle = left.floorEntry(end - 100);
    TreeMap<Long, Position> rest = new TreeMap<>();
    readAll(split, middle.getValue(), end, rest);
    assertEquals(left.tailMap(middle.getValue().offset()).keySet(), rest.keySet());
  }

  /// @param found by offset, the position behind each record
  private void readAll(Split split, Position from, long end, TreeMap<Long, Position> found) {
    try (SplitReader reader = bench.log.reader("reader")) {
      reader.add(split, from);
      long next = from.offset();
      while (next < end) {
        RecordBatch batch = LogBench.next(reader);
        assertTrue(batch.nextOffset() > next, batch::toString);
        for (int i = 0; i < batch.size(); i++) {
          assertTrue(batch.offset(i) >= next && batch.offset(i) < batch.nextOffset());
          found.put(batch.offset(i), batch.position(i + 1));
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
  }

  @Test
  void transactionsOfVersionOneWorkAndAreCalledWeaker() throws Exception {
    Admin admin = bench.admin();
    transactionVersion(admin, 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
    try (KafkaLog log = KafkaLog.connect(official("old"))) {
      LogBench.await("the feature is known", () -> !connectedWeakness().isEmpty());
      String weakness = connectedWeakness();
      assertTrue(weakness.contains("transaction.version is 1"), weakness);
      assertTrue(weakness.contains("kafka-features.sh"), weakness);
      LogException refused = assertThrows(LogException.class, this::connectDirectly);
      assertEquals(LogException.Kind.REFUSED, refused.kind());
      assertTrue(refused.getMessage().contains("transaction.version is 1"), refused::getMessage);
      assertTrue(refused.getMessage().contains("kafka-features.sh"), refused::getMessage);
      Split split = bench.split();
      try (TransactionalWriter writer =
          log.writer(LogBench.uniqueName("writer"), Duration.ofSeconds(30))) {
        LogBench.eventually("the writer is open", writer::open);
        bench.write(writer, split, "a");
        writer.send(split, bench.batch("no"));
        LogBench.abort(writer);
        bench.write(writer, split, "b");
      }
      assertEquals(List.of("a", "b"), bench.values(split));
    } finally {
      transactionVersion(admin, 2, FeatureUpdate.UpgradeType.UPGRADE);
    }
  }

  private KafkaLogSettings official(String name) {
    return KafkaLogSettings.of(broker.servers(), name).withDataPlane(DataPlane.OFFICIAL);
  }

  private void connectDirectly() {
    KafkaLogSettings settings = KafkaLogSettings.of(broker.servers(), "direct");
    KafkaLog.connect(settings.withDataPlane(DataPlane.DIRECT)).close();
  }

  private String connectedWeakness() {
    try (KafkaLog log = KafkaLog.connect(official("look"))) {
      return log.weakness();
    }
  }

  private static void transactionVersion(Admin admin, int version, FeatureUpdate.UpgradeType how)
      throws Exception {
    admin
        .updateFeatures(
            Map.of("transaction.version", new FeatureUpdate((short) version, how)),
            new UpdateFeaturesOptions())
        .all()
        .get();
  }
}
