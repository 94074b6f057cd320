package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.ThreeBrokers;
import dev.millrace.spi.LogException;
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
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A writer commits and a reader reads while three brokers are stopped, killed, frozen and relieved
/// of what they lead and coordinate. What was reported committed is there, whole and once, what was
/// reported aborted is not, in order, and the reader sees the same. The oracle is an official
/// consumer, at the end.
///
/// The schedule follows from a seed; `-Dbounces.seed=` and `-Dbounces.rounds=` choose another.
@Tag("thorough")
@ResourceLock("three brokers") // two such clusters at a time are too much for two processors
abstract class ThreeBrokersTest {
  private static final int PARTITIONS = 3;
  private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(40);

  enum Disturbance {
    KILL,
    STOP,
    FREEZE,
    MOVE
  }

  @TempDir Path directory;
  private ThreeBrokers cluster;
  private LogBench bench;
  private Admin admin;
  private List<Split> splits;
  private volatile boolean done;

  /// By number of the transaction.
  private final List<Outcome> outcomes = Collections.synchronizedList(new ArrayList<>());

  private volatile long longestNanos;

  abstract DataPlane dataPlane();

  @Test
  void transactionsAreWholeAndSeenOnceWhateverBrokersDo() throws Exception {
    long seed = Long.getLong("bounces.seed", 1);
    int rounds = Integer.getInteger("bounces.rounds", 12);
    System.out.println(dataPlane() + ": -Dbounces.seed=" + seed + " -Dbounces.rounds=" + rounds);
    splits = bench.splits(PARTITIONS, Map.of());
    run(new Random(seed), rounds);
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new ThreeBrokers(directory);
    bench = new LogBench(cluster.servers(), dataPlane());
    admin = bench.admin();
  }

  @AfterEach
  void end() throws Exception {
    done = true;
    try {
      if (bench != null) {
        bench.close();
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  /// A follower that was not in sync becomes the leader, and what it did not have is gone.
  @Test
  void aReaderNoticesThatTheLogLostWhatItHasRead() throws Exception {
    Split split = new Split(LogBench.uniqueName("lossy"), 0);
    NewTopic topic = new NewTopic(split.stream(), Map.of(0, List.of(1, 2)));
    topic.configs(Map.of("min.insync.replicas", "1", "unclean.leader.election.enable", "true"));
    admin.createTopics(List.of(topic)).all().get();
    SplitReader reader = bench.reader();
    reader.add(split, Position.of(0));
    bench.write(bench.openWriter(), split, "a");
    readPast(reader, "a");
    cluster.kill(1);
    bench.write(bench.openWriter(), split, "b");
    long position = readPast(reader, "b");
    cluster.kill(0);
    cluster.start(1);
    LogBench.await("node 2 leads", () -> leader(split) == 2);
    for (String value : List.of("c", "d", "e")) {
      bench.write(bench.openWriter(), split, value);
    }
    LogException[] thrown = {null};
    LogBench.await(
        "the reader notices it",
        () -> {
          try {
            RecordBatch batch = reader.poll(Duration.ofMillis(100));
            assertNull(batch, "It reads on.");
            return false;
          } catch (LogException e) {
            thrown[0] = e;
            return true;
          }
        });
    assertEquals(LogException.Kind.POSITION_LOST, thrown[0].kind(), thrown[0]::getMessage);
    String message = thrown[0].getMessage();
    assertTrue(message.startsWith("Position %d of %s is lost".formatted(position, split)), message);
    System.out.println(dataPlane() + ": " + message);
  }

  /// @return where the reader is, behind the end of the transaction that wrote the value
  private static long readPast(SplitReader reader, String value) {
    long next = 0;
    long behind = Long.MAX_VALUE;
    while (next < behind) {
      RecordBatch batch = LogBench.next(reader);
      for (int i = 0; i < batch.size(); i++) {
        if (batch.value(i, new Bytes()).equals(Bytes.of(value.getBytes(StandardCharsets.UTF_8)))) {
          behind = batch.offset(i) + 2; // the record and its commit
        }
      }
      next = batch.nextOffset();
      batch.release();
    }
    return next;
  }

  private int leader(Split split) {
    try {
      TopicDescription topic =
          admin.describeTopics(List.of(split.stream())).allTopicNames().get().get(split.stream());
      Node leader = topic.partitions().getFirst().leader();
      return leader == null ? -1 : leader.id();
    } catch (ExecutionException | InterruptedException e) {
      return -1; // asked again
    }
  }

  private void run(Random random, int rounds) throws Exception {
    Map<Split, List<String>> read = new HashMap<>();
    splits.forEach(split -> read.put(split, new CopyOnWriteArrayList<>()));
    CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(random.nextLong()));
    CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> read(read));
    LogBench.await("something is committed", () -> outcomes.contains(Outcome.COMMITTED));
    List<Disturbance> left = new ArrayList<>();
    Map<Disturbance, Integer> disturbed = new EnumMap<>(Disturbance.class);
    for (int i = 0; i < rounds && !writing.isDone() && !reading.isDone(); i++) {
      if (left.isEmpty()) {
        left.addAll(List.of(Disturbance.values()));
        Collections.shuffle(left, random);
      }
      Disturbance next = left.removeLast();
      disturbed.merge(next, 1, Integer::sum);
      disturb(next, random);
      awaitInSync();
      int before = outcomes.size();
      LogBench.await("the writer goes on", () -> committedSince(before) || writing.isDone());
    }
    done = true;
    writing.join();
    Map<Split, List<String>> expected = official();
    LogBench.await("the reader is at the end", () -> read.equals(expected) || reading.isDone());
    assertEquals(expected, read);
    reading.cancel(true);
    check(expected);
    System.out.printf(
        "%s: %s, %d transactions, %s, longest standstill of the writer %d ms%n",
        dataPlane(), disturbed, outcomes.size(), counted(), longestNanos / 1_000_000);
    assertEquals(Set.of(Disturbance.values()), disturbed.keySet());
    assertTrue(longestNanos < LONGEST_STANDSTILL.toNanos(), () -> longestNanos + " ns");
  }

  private boolean committedSince(int before) {
    synchronized (outcomes) {
      return outcomes.subList(before, outcomes.size()).contains(Outcome.COMMITTED);
    }
  }

  private Map<Outcome, Integer> counted() {
    Map<Outcome, Integer> counted = new EnumMap<>(Outcome.class);
    outcomes.forEach(each -> counted.merge(each, 1, Integer::sum));
    return counted;
  }

  private void disturb(Disturbance what, Random random) throws Exception {
    int node = random.nextInt(ThreeBrokers.NODES);
    int pauseMillis = random.nextInt(4_000);
    switch (what) {
      case KILL -> {
        cluster.kill(node);
        LogBench.sleep(pauseMillis);
        cluster.start(node);
      }
      case STOP -> {
        cluster.stop(node);
        LogBench.sleep(pauseMillis);
        cluster.start(node);
      }
      case FREEZE -> {
        cluster.freeze(node);
        LogBench.sleep(1_000 + pauseMillis);
        cluster.thaw(node);
      }
      case MOVE -> move(random);
    }
  }

  /// Other leaders for everything, coordinators' topics too.
  private void move(Random random) throws Exception {
    Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
    for (TopicDescription topic : topics()) {
      topic
          .partitions()
          .forEach(partition -> {
            List<Integer> order = new ArrayList<>(List.of(1, 2, 3));
            Collections.shuffle(order, random);
            orders.put(
                new TopicPartition(topic.name(), partition.partition()),
                Optional.of(new NewPartitionReassignment(order)));
          });
    }
    admin.alterPartitionReassignments(orders).all().get();
    admin
        .electLeaders(ElectionType.PREFERRED, orders.keySet())
        .partitions()
        .get()
        .forEach((partition, failure) ->
            assertTrue(
                failure.isEmpty() || failure.get() instanceof ElectionNotNeededException,
                () -> partition + ": " + failure));
  }

  private List<TopicDescription> topics() throws ExecutionException, InterruptedException {
    Set<String> names = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
    return List.copyOf(admin.describeTopics(names).allTopicNames().get().values());
  }

  private void awaitInSync() {
    LogBench.await(
        "all replicas are in sync",
        () -> {
          try {
            return topics().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(each -> each.isr().size() == ThreeBrokers.NODES);
          } catch (ExecutionException | InterruptedException e) {
            return false; // asked again
          }
        });
  }

  private void write(long seed) {
    Random random = new Random(seed);
    TransactionalWriter writer = bench.openWriter(LogBench.uniqueName("writer"), LogBench.TIMEOUT);
    long lastNanos = System.nanoTime();
    for (int number = 0; !done; number++) {
      int records = 1 + random.nextInt(50);
      for (Split split : splits) {
        String[] values = new String[records];
        for (int i = 0; i < records; i++) {
          values[i] = number + "." + i;
        }
        writer.send(split, bench.batch(values));
      }
      if (random.nextInt(4) == 0) {
        writer.sendPositions("bounced", Map.of(splits.getFirst(), Position.of(number)));
      }
      if (random.nextInt(10) == 0) {
        writer.abort();
      } else {
        writer.commit();
      }
      Outcome outcome = LogBench.outcome(writer);
      outcomes.add(outcome);
      if (outcome == Outcome.COMMITTED) {
        longestNanos = Math.max(longestNanos, System.nanoTime() - lastNanos);
        lastNanos = System.nanoTime();
      } else if (outcome == Outcome.UNKNOWN) {
        LogBench.eventually("the writer is open again", writer::open);
      } else {
        assertEquals(Outcome.ABORTED, outcome, writer::failure);
      }
    }
  }

  private void read(Map<Split, List<String>> values) {
    SplitReader reader = bench.reader();
    splits.forEach(split -> reader.add(split, Position.of(0)));
    Map<Split, Long> next = new HashMap<>();
    Bytes view = new Bytes();
    while (!Thread.currentThread().isInterrupted()) {
      RecordBatch batch = reader.poll(Duration.ofMillis(100));
      if (batch == null) {
        if (done && isRead(values)) {
          return;
        }
        continue;
      }
      for (int i = 0; i < batch.size(); i++) {
        assertTrue(batch.offset(i) >= next.getOrDefault(batch.split(), 0L), batch::toString);
        next.put(batch.split(), batch.offset(i) + 1);
        values.get(batch.split()).add(batch.value(i, view).toUtf8());
      }
      batch.release();
    }
  }

  private volatile Map<Split, List<String>> official;

  private boolean isRead(Map<Split, List<String>> values) {
    return values.equals(official);
  }

  /// What an official consumer sees.
  private Map<Split, List<String>> official() {
    Map<Split, List<String>> all = new HashMap<>();
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            cluster.servers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      for (Split split : splits) {
        bench.awaitDecided(split);
        long end = bench.log.offsets(List.of(split)).get(split).stableEnd();
        TopicPartition partition = new TopicPartition(split.stream(), split.partition());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        List<String> values = new ArrayList<>();
        LogBench.await(
            "the oracle reads " + split,
            () -> {
              for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                values.add(record.value());
              }
              return consumer.position(partition) >= end;
            });
        all.put(split, values);
      }
    }
    official = all;
    return all;
  }

  private void check(Map<Split, List<String>> log) {
    Set<Integer> known = new HashSet<>();
    for (Split split : splits) {
      Map<Integer, Integer> records = new TreeMap<>();
      int last = -1;
      int nextRecord = 0;
      for (String value : log.get(split)) {
        int number = Integer.parseInt(value.substring(0, value.indexOf('.')));
        int record = Integer.parseInt(value.substring(value.indexOf('.') + 1));
        assertTrue(number >= last, () -> split + ": " + value + " comes too late");
        nextRecord = number == last ? nextRecord : 0;
        assertEquals(nextRecord, record, () -> split + ": " + value);
        nextRecord++;
        last = number;
        records.put(number, nextRecord);
      }
      for (int number = 0; number < outcomes.size(); number++) {
        Outcome outcome = outcomes.get(number);
        if (outcome != Outcome.UNKNOWN) {
          String what = split + ", transaction " + number + " " + outcome;
          assertEquals(outcome == Outcome.COMMITTED, records.containsKey(number), what);
        }
      }
      known = split.equals(splits.getFirst()) ? records.keySet() : known;
      assertEquals(known, records.keySet(), "of each transaction, in all partitions or in none");
      assertEquals(
          log.get(splits.getFirst()), log.get(split), "the same was sent to all partitions");
    }
  }
}
