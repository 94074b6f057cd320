package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.LyingBrokers;
import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Reading and writing by requests of our own, where [LyingBrokers] answer: whatever they say, what
/// is read is what was committed, what is reported committed is in the log, every call returns, and
/// all goes on once they tell the truth again.
///
/// Each run follows from its seed, but for pauses, which are real ones. A failure says which seed
/// it was; `-Dfuzz.seed=` that number runs it alone.
class DirectPlaneFuzzTest {
  private static final long FROM = 5_000_000L;
  private static final int MANY_POLLS = 3_000;
  private static final int LIES_UNTIL = 7;

  /// How long a call may take; a full garbage collection and other tests are in it.
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final Map<LyingBrokers.Fate, Integer> fates = new EnumMap<>(LyingBrokers.Fate.class);
  private final Map<ApiKeys, Integer> changed = new TreeMap<>();
  private final Map<String, Integer> ends = new TreeMap<>();

  @Test
  void liesOfBrokersChangeNothing() {
    run(60);
    assertEnough(600);
  }

  @Test
  @Tag("thorough")
  void aHundredThousandLiesOfBrokersChangeNothing() {
    run(5_000);
    assertEnough(100_000);
  }

  private void run(int runs) {
    Long only = Long.getLong("fuzz.seed");
    if (only != null) {
      one(only);
      return;
    }
    long start = System.nanoTime();
    for (long seed = FROM; seed < FROM + runs; seed++) {
      one(seed);
    }
    System.out.printf(
        "%d runs in %d s%n  %s%n  %s%n  %s%n",
        runs, (System.nanoTime() - start) / 1_000_000_000, fates, changed, ends);
  }

  private void assertEnough(int least) {
    if (Long.getLong("fuzz.seed") != null) {
      return;
    }
    int all = changed.values().stream().mapToInt(Integer::intValue).sum();
    assertTrue(all >= least, () -> "Too few lies: " + changed);
    assertEquals(Set.of(LyingBrokers.Fate.values()), fates.keySet());
    for (ApiKeys each :
        List.of(
            ApiKeys.FETCH,
            ApiKeys.PRODUCE,
            ApiKeys.METADATA,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.END_TXN,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.FIND_COORDINATOR)) {
      assertTrue(changed.getOrDefault(each, 0) > least / 200, () -> each + " of " + changed);
    }
    for (String end :
        List.of("COMMITTED", "ABORTED", "UNKNOWN", "read", "reading failed", "opening failed")) {
      assertTrue(ends.getOrDefault(end, 0) > 0, () -> end + " of " + ends);
    }
  }

  private void one(long seed) {
    try {
      new Run(seed).run();
      // outermost: whatever it is, the seed must be told
    } catch (RuntimeException | Error e) {
      throw new AssertionError("-Dfuzz.seed=" + seed, e);
    }
  }

  private void count(String end) {
    ends.merge(end, 1, Integer::sum);
  }

  private final class Run {
    private final Random random;
    private final ModelCluster cluster = new ModelCluster();
    private final LyingBrokers brokers;
    private final List<String> failures = new ArrayList<>();

    /// What was sent in each transaction, by partition, and its outcome.
    private final List<Map<Integer, List<String>>> transactions = new ArrayList<>();

    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Map<Split, Long>> positions = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      brokers = new LyingBrokers(cluster, seed);
      brokers.lies = 150;
    }

    void run() {
      write();
      read();
      brokers.fates.forEach((fate, count) -> fates.merge(fate, count, Integer::sum));
      brokers.changed.forEach((api, count) -> changed.merge(api, count, Integer::sum));
    }

    private void write() {
      WriterWork producer = ModelClients.producer(brokers, cluster);
      boolean open = open(producer);
      for (int i = 0; i <= LIES_UNTIL || outcomes.getLast() != Outcome.COMMITTED; i++) {
        assertTrue(
            i < LIES_UNTIL + 10, () -> "It does not go on: " + failures.reversed() + brokers.last);
        if (i == LIES_UNTIL) {
          brokers.lies = 0;
        }
        for (int tries = 0; !open; tries++) {
          assertTrue(tries < 200, "The writer cannot be opened any more.");
          if (tries > 20 && tries % 20 == 0) {
            // What it was told of its id was wrong: as if it were fenced.
            producer.close();
            producer = ModelClients.producer(brokers, cluster);
          }
          open = open(producer);
        }
        open = transact(producer, i);
      }
      producer.close();
      check();
    }

    private boolean open(WriterWork producer) {
      long start = System.nanoTime();
      try {
        producer.open();
        return true;
      } catch (LogException e) {
        count("opening failed");
        assertTrue(e.getMessage().contains(ModelClients.WRITER), e::getMessage);
        return false;
      } finally {
        assertInTime(start);
      }
    }

    private void assertInTime(long startNanos) {
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      assertTrue(took.compareTo(BOUND) < 0, () -> "It took " + took);
    }

    /// @return whether the writer can go on
    private boolean transact(WriterWork producer, int number) {
      long start = System.nanoTime();
      List<Transaction> lost = new ArrayList<>();
      Transaction transaction = new Transaction(lost::add);
      Map<Integer, List<String>> sent = new TreeMap<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        int partition = random.nextInt(ModelCluster.PARTITIONS);
        List<String> values = new ArrayList<>();
        for (int j = 1 + random.nextInt(10); j > 0; j--) {
          values.add("%d.%d.%d %s".formatted(number, i, j, "x".repeat(random.nextInt(60))));
        }
        sent.computeIfAbsent(partition, each -> new ArrayList<>()).addAll(values);
        producer.send(transaction, ModelCluster.split(partition), ModelClients.batch(values));
        if (random.nextInt(6) == 0) {
          cluster.partition(random.nextInt(ModelCluster.PARTITIONS)).move();
        }
      }
      Map<Split, Long> offsets = new HashMap<>();
      if (random.nextBoolean()) {
        Map<Split, Position> all = new HashMap<>();
        for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
          offsets.put(ModelCluster.split(i), 100L * number + i);
          all.put(ModelCluster.split(i), Position.of(100L * number + i));
        }
        producer.sendPositions(transaction, "fuzzed-group", all);
      }
      if (number < LIES_UNTIL && random.nextInt(5) == 0) {
        transaction.fail("The writer aborted the transaction.");
        producer.abort(transaction);
      } else {
        producer.commit(transaction);
      }
      assertInTime(start);
      Outcome outcome = transaction.outcome();
      count(String.valueOf(outcome));
      transactions.add(sent);
      positions.add(offsets);
      outcomes.add(outcome);
      if (outcome != Outcome.COMMITTED) {
        assertFalse(transaction.failure().isEmpty());
        failures.add(outcome + " " + transaction.failure());
      }
      return outcome == Outcome.COMMITTED || outcome == Outcome.ABORTED;
    }

    /// The log holds each transaction as a whole or not at all, as was told, in order.
    private void check() {
      List<List<String>> logs = new ArrayList<>();
      for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
        logs.add(new ArrayList<>(cluster.committed(i)));
      }
      Map<Split, Long> expected = new HashMap<>();
      for (int t = 0; t < transactions.size(); t++) {
        Outcome outcome = outcomes.get(t);
        Map<Integer, List<String>> sent = transactions.get(t);
        String prefix = t + ".";
        boolean there =
            logs.stream().flatMap(List::stream).anyMatch(each -> each.startsWith(prefix));
        if (outcome == Outcome.COMMITTED || outcome == Outcome.ABORTED) {
          assertEquals(outcome == Outcome.COMMITTED, there, "transaction " + t + ": " + outcomes);
        }
        if (there) {
          sent.forEach((partition, values) -> {
            List<String> log = logs.get(partition);
            assertEquals(values, log.subList(0, Math.min(values.size(), log.size())));
            log.subList(0, values.size()).clear();
          });
          expected.putAll(positions.get(t));
        }
      }
      logs.forEach(log -> assertEquals(List.of(), log));
      assertEquals(expected, cluster.positions("fuzzed-group"));
    }

    private void read() {
      List<SplitPosition> splits = ModelClients.splits();
      List<List<String>> values = new ArrayList<>();
      splits.forEach(split -> values.add(new ArrayList<>()));
      brokers.lies = 300;
      try (DirectFetcher fetcher = ModelClients.fetcher(brokers)) {
        fetcher.assign(splits);
        splits.forEach(fetcher::seek);
        long start = System.nanoTime();
        for (int polls = 0; isBehind(splits); polls++) {
          if (polls == 100) {
            brokers.lies = 0;
          }
          // Not if the machine stood still.
          if (polls > MANY_POLLS && System.nanoTime() - start > BOUND.toNanos()) {
            throw new AssertionError(
                "Stuck: " + describe(splits) + failures.reversed() + brokers.last);
          }
          poll(fetcher, splits, values);
          if (random.nextInt(20) == 0 && polls < 100) {
            cluster.partition(random.nextInt(ModelCluster.PARTITIONS)).move();
          }
        }
      }
      for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
        assertEquals(cluster.committed(i), values.get(i), "partition " + i);
      }
      count("read");
    }

    private String describe(List<SplitPosition> splits) {
      StringBuilder text = new StringBuilder();
      for (SplitPosition each : splits) {
        text.append(
            "%s at %d of %d, epoch %d "
                .formatted(
                    each.split(),
                    each.next(),
                    cluster.partition(each.split().partition()).end(),
                    each.leaderEpoch()));
      }
      return text.toString();
    }

    private boolean isBehind(List<SplitPosition> splits) {
      for (int i = 0; i < splits.size(); i++) {
        if (splits.get(i).next() < cluster.partition(i).end()) {
          return true;
        }
      }
      return false;
    }

    private void poll(
        DirectFetcher fetcher, List<SplitPosition> splits, List<List<String>> values) {
      try {
        fetcher.poll(Duration.ofMillis(2));
      } catch (KafkaException e) {
        count("reading failed");
        failures.add(e.toString());
        List<SplitPosition> named = splits.stream().filter(each -> isNamed(each, e)).toList();
        assertFalse(named.isEmpty(), () -> "It names no partition: " + e);
        // As a reader does that has looked at its position.
        named.forEach(fetcher::seek);
      }
      Bytes view = new Bytes();
      for (SplitPosition split : splits) {
        while (!split.ready.isEmpty()) {
          RecordBatch batch = split.ready.remove();
          for (int i = 0; i < batch.size(); i++) {
            values.get(split.split().partition()).add(batch.value(i, view).toUtf8());
          }
          batch.release();
        }
      }
    }

    private boolean isNamed(SplitPosition split, KafkaException failure) {
      return switch (failure) {
        case OffsetOutOfRangeException e -> e.partitions().contains(split.partition);
        case TopicAuthorizationException e ->
            e.unauthorizedTopics().contains(split.split().stream());
        default -> failure.getMessage().contains(split.partition.toString());
      };
    }
  }
}
