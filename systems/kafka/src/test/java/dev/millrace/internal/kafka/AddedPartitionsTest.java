package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.kafka.read.ModelClients;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.internal.kafka.write.ProduceQueue;
import dev.millrace.internal.kafka.write.Transaction;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In how many requests at a time partitions are added to a transaction.
@Timeout(30)
class AddedPartitionsTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int BATCH_BYTES = 200;

  /// The partitions of each request of this turn.
  private final List<Set<Integer>> requests = new ArrayList<>();

  private ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth) {
    if (request instanceof ProduceRequestData produce
        && truth instanceof ProduceResponseData told) {
      Set<Integer> partitions = new HashSet<>();
      produce
          .topicData()
          .forEach(topic -> topic.partitionData().forEach(each -> partitions.add(each.index())));
      requests.add(partitions);
      told.responses()
          .forEach(topic ->
              topic
                  .partitionResponses()
                  .forEach(each -> each.setErrorCode(Errors.NONE.code()).setBaseOffset(0)));
    }
    return truth;
  }

  /// Sends two batches for each partition.
  ///
  /// @return the requests of each turn that had some
  private List<List<Set<Integer>>> turns(@Nullable String transactionalId) {
    ModelCluster cluster = new ModelCluster();
    List<List<Set<Integer>>> turns = new ArrayList<>();
    try (Wire wire = ModelClients.wire(new ScriptedBrokers(cluster, this::answer))) {
      ProduceQueue queue =
          new ProduceQueue(
              wire,
              new ProduceQueue.Settings(
                  transactionalId,
                  Compression.NONE,
                  BATCH_BYTES,
                  100 * BATCH_BYTES,
                  LONG,
                  LONG,
                  Duration.ofMillis(1)));
      queue.begin(new WriterId("writer", 1, 0));
      Transaction transaction = new Transaction(_ -> {});
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
          queue.add(
              transaction.inside(ModelCluster.split(i)),
              ModelClients.batch(List.of("a")),
              BATCH_BYTES);
        }
        queue.finishBatches();
      }
      for (int turn = 0; !queue.isEmpty(); turn++) {
        assertTrue(turn < 10_000, () -> "Not everything was sent: " + turns);
        queue.send();
        wire.poll(Duration.ZERO);
        if (!requests.isEmpty()) {
          turns.add(List.copyOf(requests));
          requests.clear();
        }
      }
    }
    return turns;
  }

  @Test
  void oneRequestAtATimeAddsPartitionsToATransaction() {
    Set<Integer> known = new HashSet<>();
    List<List<Set<Integer>>> turns = turns("writer");
    for (List<Set<Integer>> turn : turns) {
      List<Set<Integer>> adding = turn.stream().filter(each -> !known.containsAll(each)).toList();
      assertTrue(adding.size() <= 1, turns::toString);
      adding.forEach(known::addAll);
    }
    assertEquals(Set.of(0, 1, 2), known);
    // Those of one broker go together.
    assertTrue(
        turns.getFirst().equals(List.of(Set.of(0, 2)))
            || turns.getFirst().equals(List.of(Set.of(1))),
        turns::toString);
  }

  @Test
  void outsideTransactionsNobodyWaits() {
    assertEquals(2, turns(null).getFirst().size());
  }
}
