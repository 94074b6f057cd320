package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.read.ModelClients;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.internal.kafka.write.Coordinators;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.internal.kafka.write.TransactionRequests;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// A writer asks for a new id, gets it, and never hears of it: the coordinator's answers are lost
/// until the writer has lost its patience.
class LostInitializationTest {
  private final ModelCluster cluster = new ModelCluster();
  private boolean losing;
  private int lost;

  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (losing
        && request instanceof InitProducerIdRequestData asked
        && asked.transactionalId() != null) {
      lost++;
      return null;
    }
    return truth;
  }

  private WriterWork producer() {
    return ModelClients.producer(new ScriptedBrokers(cluster, this::answer), cluster);
  }

  /// Returns when the coordinator knows of the transaction.
  private static Transaction send(WriterWork producer, String value) {
    Transaction transaction = new Transaction(_ -> {});
    producer.send(transaction, ModelCluster.split(0), ModelClients.batch(List.of(value)));
    sendPositions(producer, transaction);
    return transaction;
  }

  private static void sendPositions(WriterWork producer, Transaction transaction) {
    producer.sendPositions(transaction, "group", Map.of(ModelCluster.split(0), Position.of(1)));
  }

  private static void commit(WriterWork producer, String value) {
    Transaction transaction = send(producer, value);
    producer.commit(transaction);
    assertEquals(Outcome.COMMITTED, transaction.outcome(), transaction::failure);
  }

  /// Its transaction took too long, so it needs a new id, and the answers are lost.
  private void lose(WriterWork producer) {
    Transaction expired = new Transaction(_ -> {});
    sendPositions(producer, expired);
    cluster.expire(ModelClients.WRITER);
    losing = true;
    producer.commit(expired);
    assertEquals(Outcome.UNKNOWN, expired.outcome(), expired::failure);
    assertEquals(Kind.UNAVAILABLE, assertThrows(LogException.class, producer::open).kind());
    assertTrue(lost > 1, () -> "Too few answers were lost: " + lost);
    losing = false;
  }

  @Test
  void aWriterThatDidNotHearOfItsNewIdGoesOn() {
    WriterWork producer = producer();
    LogBench.eventually("the writer is open", producer::open);
    commit(producer, "before");
    lose(producer);
    LogBench.eventually("the writer is open again", producer::open);
    commit(producer, "after");
    commit(producer, "and on");
    producer.close();
    assertEquals(List.of("before", "after", "and on"), cluster.committed(0));
  }

  @Test
  void aWriterThatDidNotHearOfItsNewIdDoesNotBarItsSuccessor() {
    WriterWork producer = producer();
    LogBench.eventually("the writer is open", producer::open);
    commit(producer, "before");
    lose(producer);
    WriterWork successor = producer();
    LogBench.eventually("the successor is open", successor::open);
    LogException failure =
        assertThrows(
            LogException.class, () -> LogBench.eventually("the old one is open", producer::open));
    assertEquals(Kind.FENCED, failure.kind(), failure::getMessage);
    assertTrue(failure.getMessage().contains(ModelClients.WRITER), failure::getMessage);
    commit(successor, "after");
    assertEquals(List.of("before", "after"), cluster.committed(0));
  }

  /// What the others here stand on.
  @Test
  void theModelGivesOutIdsAsKafkaDoes() {
    String real = LogBench.uniqueName("writer");
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", SharedEmbeddedKafka.bootstrapServers(),
            "key.serializer", ByteArraySerializer.class,
            "value.serializer", ByteArraySerializer.class);
    Split split;
    try (LogBench bench = new LogBench(SharedEmbeddedKafka.bootstrapServers())) {
      split = bench.split();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    List<String> ofKafka;
    try (Wire wire = new Wire(new ProducerConfig(config), "ids", 5, 0)) {
      ofKafka = epochs(wire, real, split);
    }
    try (Wire wire = ModelClients.wire(new ScriptedBrokers(cluster, this::answer))) {
      assertEquals(ofKafka, epochs(wire, ModelClients.WRITER, ModelCluster.split(0)));
    }
    assertEquals(List.of("0", "1", "1", "FENCED", "2", "3", "FENCED", "4", "4", "5"), ofKafka);
  }

  private static List<String> epochs(Wire wire, String name, Split split) {
    Coordinators coordinators = new Coordinators(wire, () -> {}, Duration.ofMillis(5));
    TransactionRequests requests = new TransactionRequests(coordinators, name);
    List<String> epochs = new ArrayList<>();
    WriterId first = initialize(requests, null, epochs);
    WriterId second = initialize(requests, first, epochs);
    initialize(requests, first, epochs);
    // What is open is ended, and counted.
    long deadline = System.nanoTime() + LogBench.TIMEOUT.toNanos();
    Errors told = requests.positions(second, name, Map.of(split, Position.of(1)), deadline);
    assertEquals(Errors.NONE, told);
    initialize(requests, first, epochs);
    initialize(requests, second, epochs);
    WriterId third = initialize(requests, null, epochs);
    initialize(requests, second, epochs);
    initialize(requests, third, epochs);
    initialize(requests, third, epochs);
    initialize(requests, null, epochs);
    return epochs;
  }

  private static WriterId initialize(
      TransactionRequests requests, WriterId from, List<String> epochs) {
    long deadline = System.nanoTime() + LogBench.TIMEOUT.toNanos();
    try {
      WriterId id = requests.initialize(from, LogBench.TIMEOUT, deadline);
      epochs.add(Integer.toString(id.epoch()));
      return id;
    } catch (LogException e) {
      epochs.add(e.kind().toString());
      return from;
    }
  }
}
