package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.LogBench;
import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ScriptedBrokers;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.internal.kafka.write.WriterWork;
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
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

/// What a client does when a quota holds it back: a broker answers at once, says for how long it
/// will not listen to the connection, and expects that nothing is sent meanwhile.
class ThrottledConnectionsTest {
  /// Longer than a request may take.
  private static final int THROTTLE_MILLIS = 2 * ModelClients.REQUEST_MILLIS;

  /// Clocks count milliseconds.
  private static final long SLACK_NANOS = 2_000_000;

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String GROUP = "throttled-group";
  private static final int SESSION = 5;

  private final ModelCluster cluster = new ModelCluster();

  /// Says with each answer that the connection is throttled, and notes who does not keep to it.
  private static final class Throttling implements ScriptedBrokers.Script {
    private final Map<String, Long> quietUntilNanos = new HashMap<>();

    /// The last throttled answer of a connection was to this.
    private final Map<String, ApiKeys> throttledBy = new HashMap<>();

    private final Map<ApiKeys, Integer> waited = new EnumMap<>(ApiKeys.class);
    private final List<String> violations = new ArrayList<>();

    @Override
    public ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
      long now = System.nanoTime();
      ApiKeys before = throttledBy.get(connection);
      if (before != null) {
        waited.merge(before, 1, Integer::sum);
        long early = quietUntilNanos.get(connection) - now - SLACK_NANOS;
        if (early > 0) {
          violations.add("%s after %s, %d us early".formatted(api, before, early / 1_000));
        }
      }
      if (api != ApiKeys.API_VERSIONS) {
        throttle(truth, THROTTLE_MILLIS);
        throttledBy.put(connection, api);
        quietUntilNanos.put(connection, System.nanoTime() + THROTTLE_MILLIS * 1_000_000L);
      }
      return truth;
    }
  }

  private static void throttle(ApiMessage answer, int millis) {
    try {
      answer.getClass().getMethod("setThrottleTimeMs", int.class).invoke(answer, millis);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static List<String> values(int transaction, int count) {
    return IntStream.range(0, count).mapToObj(each -> transaction + "." + each).toList();
  }

  private static Map<Split, Position> positions(long offset) {
    Map<Split, Position> all = new HashMap<>();
    for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
      all.put(ModelCluster.split(i), Position.of(offset));
    }
    return all;
  }

  /// One transaction with so many batches for each partition.
  private static void transact(WriterWork producer, int number, int batches) {
    Transaction transaction = new Transaction(_ -> {});
    for (int i = 0; i < batches; i++) {
      for (int partition = 0; partition < ModelCluster.PARTITIONS; partition++) {
        producer.send(
            transaction, ModelCluster.split(partition), ModelClients.batch(values(number, 30)));
      }
    }
    producer.sendPositions(transaction, GROUP, positions(number));
    producer.commit(transaction);
    assertEquals(Outcome.COMMITTED, transaction.outcome(), transaction::failure);
  }

  private void assertCommitted(int transactions, int batches) {
    List<String> expected = new ArrayList<>();
    for (int number = 0; number < transactions; number++) {
      for (int i = 0; i < batches; i++) {
        expected.addAll(values(number, 30));
      }
    }
    for (int partition = 0; partition < ModelCluster.PARTITIONS; partition++) {
      assertEquals(expected, cluster.committed(partition));
    }
    Map<Split, Long> last = new HashMap<>();
    positions(transactions - 1).forEach((split, position) -> last.put(split, position.offset()));
    assertEquals(last, cluster.positions(GROUP));
  }

  @Test
  void nothingIsSentOverAConnectionBeforeItsThrottleIsOver() {
    Throttling writing = new Throttling();
    Throttling reading = new Throttling();
    WriterWork producer =
        ModelClients.producer(new ScriptedBrokers(cluster, writing), cluster, LONG, LONG);
    producer.open();
    for (int number = 0; number < 3; number++) {
      transact(producer, number, 2);
    }
    producer.close();
    assertCommitted(3, 2);
    assertEquals(
        List.of(cluster.committed(0), cluster.committed(1), cluster.committed(2)),
        read(new ScriptedBrokers(cluster, reading)));
    assertEquals(List.of(), writing.violations);
    assertEquals(List.of(), reading.violations);
    assertEquals(
        Set.of(
            ApiKeys.PRODUCE,
            ApiKeys.METADATA,
            ApiKeys.FIND_COORDINATOR,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.END_TXN),
        writing.waited.keySet());
    assertEquals(Set.of(ApiKeys.FETCH), reading.waited.keySet());
  }

  private List<List<String>> read(ScriptedBrokers brokers) {
    List<SplitPosition> splits = ModelClients.splits();
    List<List<String>> read = new ArrayList<>();
    splits.forEach(_ -> read.add(new ArrayList<>()));
    try (DirectFetcher fetcher = ModelClients.fetcher(brokers)) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      LogBench.await(
          "all is read",
          () -> {
            fetcher.poll(Duration.ofMillis(2));
            splits.forEach(split -> take(split, read.get(split.split().partition())));
            return splits.stream()
                .allMatch(
                    split -> split.next() >= cluster.partition(split.split().partition()).end());
          });
    }
    return read;
  }

  private static void take(SplitPosition split, List<String> values) {
    Bytes view = new Bytes();
    while (!split.ready.isEmpty()) {
      RecordBatch batch = split.ready.remove();
      for (int i = 0; i < batch.size(); i++) {
        values.add(batch.value(i, view).toUtf8());
      }
      batch.release();
    }
  }

  /// The connections to all brokers are held back for longer than a coordinator is tried to be
  /// asked, and nobody knows yet which one it is.
  @Test
  void aCoordinatorIsFoundWhileRecordsAreHeldBack() {
    ScriptedBrokers brokers =
        new ScriptedBrokers(
            cluster,
            (_, _, _, truth) -> {
              if (truth instanceof ProduceResponseData) {
                throttle(truth, 600);
              }
              return truth;
            });
    WriterWork producer = ModelClients.producer(brokers, cluster, LONG, Duration.ofMillis(300));
    producer.open();
    transact(producer, 0, 4);
    producer.close();
    assertCommitted(1, 4);
  }

  /// What a throttled answer leaves out may have news. Whoever takes it for silence finds a split
  /// idle whose records are waiting.
  @Test
  void aThrottledAnswerIsNoNews() {
    cluster.partition(1).move(); // one broker leads both that are read
    int[] throttled = {0};
    boolean[] throttling = {true};
    ScriptedBrokers brokers =
        new ScriptedBrokers(
            cluster,
            (_, _, request, truth) -> {
              if (!(request instanceof FetchRequestData fetch)) {
                return truth;
              }
              if (fetch.sessionId() == 0) {
                return ((FetchResponseData) truth).setSessionId(SESSION);
              }
              FetchResponseData nothing = new FetchResponseData().setSessionId(SESSION);
              if (throttling[0]) {
                nothing.setThrottleTimeMs(5);
                throttled[0]++;
              }
              return nothing;
            });
    List<SplitPosition> splits = ModelClients.splits().subList(0, 2);
    try (DirectFetcher fetcher = ModelClients.fetcher(brokers)) {
      fetcher.assign(splits);
      splits.forEach(fetcher::seek);
      LogBench.await(
          "it is throttled, and asks patiently by now, in a session of its own",
          () -> {
            fetcher.poll(Duration.ofMillis(2));
            return throttled[0] > 10;
          });
      fetcher.poll(Duration.ofMillis(2));
      List<Long> heard = splits.stream().map(each -> each.heardNanos()).toList();
      LogBench.await(
          "it is throttled again",
          () -> {
            fetcher.poll(Duration.ofMillis(2));
            return throttled[0] > 15;
          });
      assertEquals(heard, splits.stream().map(each -> each.heardNanos()).toList());
      throttling[0] = false;
      LogBench.await(
          "it is heard again",
          () -> {
            fetcher.poll(Duration.ofMillis(2));
            return splits.stream().noneMatch(each -> heard.contains(each.heardNanos()));
          });
    }
  }
}
