package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.read.ModelClients;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.internal.kafka.write.Coordinators;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.internal.kafka.write.TransactionRequests;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// A coordinator answers the end of a transaction, and writes it to the partitions afterwards.
class MarkersTest {
  private static final int MOST_ATTEMPTS = 50;

  private final ModelCluster cluster = new ModelCluster();

  /// What an end is answered that is asked for once more, and how often.
  private Errors told = Errors.NONE;

  private int times;

  private int lastEpoch = -1;
  private int askedAgain;

  /// Requests with records that came while the end before was being written.
  private int tooEarly;

  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (request instanceof EndTxnRequestData end) {
      if (end.producerEpoch() == lastEpoch) {
        askedAgain++;
        if (times > 0) {
          times--;
          return new EndTxnResponseData().setErrorCode(told.code());
        }
      }
      lastEpoch = end.producerEpoch();
    }
    if (request instanceof ProduceRequestData && times > 0) {
      tooEarly++;
    }
    return truth;
  }

  private WriterWork producer() {
    WriterWork producer =
        ModelClients.producer(new ScriptedBrokers(cluster, this::answer), cluster);
    LogBench.eventually("the writer is open", producer::open);
    return producer;
  }

  private static void commit(WriterWork producer, String value) {
    Transaction transaction = new Transaction(_ -> {});
    producer.send(transaction, ModelCluster.split(0), ModelClients.batch(List.of(value)));
    producer.commit(transaction);
    assertEquals(Outcome.COMMITTED, transaction.outcome(), transaction::failure);
  }

  @Test
  void recordsWaitUntilTheEndBeforeIsWritten() {
    WriterWork producer = producer();
    told = Errors.CONCURRENT_TRANSACTIONS;
    List<String> values = new ArrayList<>();
    // The time for which they wait may be over where a busy machine leaves this thread alone.
    do {
      values.add("value " + values.size());
      times = values.size() == 1 ? 0 : 4;
      askedAgain = 0;
      tooEarly = 0;
      commit(producer, values.getLast());
    } while (values.size() < 2 || (times > 0 && values.size() < MOST_ATTEMPTS));
    assertEquals(0, times, "It was not asked for again.");
    assertEquals(0, tooEarly);
    assertEquals(5, askedAgain);
    assertEquals(values, cluster.committed(0));
  }

  @Test
  void theyDoNotWaitForEver() {
    WriterWork producer = producer();
    commit(producer, "one");
    told = Errors.CONCURRENT_TRANSACTIONS;
    times = Integer.MAX_VALUE;
    commit(producer, "two");
    assertTrue(tooEarly > 0);
    times = 0;
    commit(producer, "three");
    assertEquals(List.of("one", "two", "three"), cluster.committed(0));
  }

  @Test
  void whatIsAnsweredElseChangesNothing() {
    WriterWork producer = producer();
    List<Errors> all =
        List.of(Errors.PRODUCER_FENCED, Errors.INVALID_TXN_STATE, Errors.UNKNOWN_SERVER_ERROR);
    commit(producer, "NONE");
    for (Errors each : all) {
      told = each;
      times = 1;
      commit(producer, each.name());
      assertEquals(0, times);
    }
    assertEquals(
        List.of("NONE", "PRODUCER_FENCED", "INVALID_TXN_STATE", "UNKNOWN_SERVER_ERROR"),
        cluster.committed(0));
  }

  /// What the others here stand on.
  @Test
  void kafkaRepeatsItsAnswerAndDoesNothing() throws Exception {
    Split split;
    try (LogBench bench = new LogBench(SharedEmbeddedKafka.bootstrapServers())) {
      split = bench.split();
    }
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", SharedEmbeddedKafka.bootstrapServers(),
            "key.serializer", ByteArraySerializer.class,
            "value.serializer", ByteArraySerializer.class);
    try (Wire wire = new Wire(new ProducerConfig(config), "markers", 5, 0)) {
      repeatEnds(wire, LogBench.uniqueName("writer"), split);
    }
  }

  private static void repeatEnds(Wire wire, String name, Split split) {
    TransactionRequests requests =
        new TransactionRequests(new Coordinators(wire, () -> {}, Duration.ofMillis(5)), name);
    long deadline = System.nanoTime() + LogBench.TIMEOUT.toNanos();
    WriterId id = requests.initialize(null, LogBench.TIMEOUT, deadline);
    for (boolean commit : List.of(true, false, true)) {
      begin(requests, id, split, deadline);
      TransactionRequests.End end = requests.end(id, commit, deadline);
      TransactionRequests.End again = requests.end(id, commit, deadline);
      assertEquals(Errors.NONE, end.error());
      assertEquals(end, again);
      assertNotEquals(id, end.next());
      // It may also come late: when the next transaction has begun, or has ended.
      begin(requests, end.next(), split, deadline);
      assertEquals(Errors.PRODUCER_FENCED, requests.end(id, commit, deadline).error());
      TransactionRequests.End next = requests.end(end.next(), true, deadline);
      assertEquals(Errors.NONE, next.error());
      assertEquals(Errors.PRODUCER_FENCED, requests.end(id, commit, deadline).error());
      assertEquals(next, requests.end(end.next(), true, deadline));
      id = next.next();
    }
  }

  private static void begin(TransactionRequests requests, WriterId id, Split split, long deadline) {
    Errors told =
        requests.positions(id, id.transactionalId(), Map.of(split, Position.of(1)), deadline);
    assertEquals(Errors.NONE, told);
  }
}
