package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.kafka.client.KafkaProperties;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Sends dead letters in again, some in a transaction together with a note of which they were. One
/// at a time does so for a topic of dead letters: who begins ends what another one had begun.
final class Resending implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 15_000;
  private static final int MOST_AT_ONCE = 500;
  private static final int MOST_BYTES_AT_ONCE = 8 << 20;
  private static final Set<String> DELIVERY =
      Set.of("linger.ms", "request.timeout.ms", "delivery.timeout.ms");

  private final KafkaProducer<byte[], byte[]> producer;
  private final TopicPartition letters;
  private final List<Letter> waiting = new ArrayList<>();
  private final List<Long> noted = new ArrayList<>();
  private long waitingBytes;
  private long sent;

  /// @param topic of the dead letters
  Resending(String servers, Map<String, String> properties, String topic) {
    letters = new TopicPartition(topic, 0);
    Map<String, Object> known = KafkaProperties.knownTo(ProducerConfig.configDef(), properties);
    known.put("bootstrap.servers", servers);
    known.put("transactional.id", "millrace-resends-" + topic);
    known.put("enable.idempotence", true);
    known.put("acks", "all");
    // With several, a batch that a new partition refused may wait until it expires.
    known.putIfAbsent("max.in.flight.requests.per.connection", 1);
    known.putIfAbsent("max.block.ms", PATIENCE_MILLIS);
    // They must fit each other, so they are only set together.
    if (Collections.disjoint(known.keySet(), DELIVERY)) {
      known.put("request.timeout.ms", PATIENCE_MILLIS);
      known.put("delivery.timeout.ms", 2 * PATIENCE_MILLIS);
    }
    producer = new KafkaProducer<>(known, new ByteArraySerializer(), new ByteArraySerializer());
    boolean open = false;
    try {
      producer.initTransactions();
      open = true;
    } finally {
      if (!open) {
        producer.close();
      }
    }
  }

  void add(Letter letter) throws InterruptedException {
    waiting.add(letter);
    waitingBytes += Math.max(0, letter.record().serializedValueSize());
    if (waiting.size() >= MOST_AT_ONCE || waitingBytes >= MOST_BYTES_AT_ONCE) {
      send();
    }
  }

  /// Notes that a letter needs not be sent, as the same record was with another one.
  void addNote(Letter letter) {
    noted.add(letter.offset());
  }

  /// Sends what was added.
  void send() throws InterruptedException {
    if (waiting.isEmpty() && noted.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    List<Future<RecordMetadata>> results = new ArrayList<>();
    for (Letter letter : waiting) {
      results.add(producer.send(letter.again()));
    }
    List<Long> offsets =
        Stream.concat(waiting.stream().map(Letter::offset), noted.stream()).sorted().toList();
    results.add(producer.send(ResentOffsets.note(letters, offsets)));
    try {
      producer.flush();
      for (Future<RecordMetadata> result : results) {
        result.get();
      }
    } catch (ExecutionException e) {
      producer.abortTransaction();
      throw new UserException(
          ExitCode.FAILED,
          "%d letters were sent. A letter at offsets %d to %d cannot be sent, so none of these was: %s"
              .formatted(sent, offsets.getFirst(), offsets.getLast(), e.getCause()));
    }
    producer.commitTransaction();
    sent += waiting.size();
    waiting.clear();
    noted.clear();
    waitingBytes = 0;
  }

  /// Returns how many were sent.
  long sent() {
    return sent;
  }

  /// Closes the producer. Letters that were not sent are kept.
  @Override
  public void close() {
    producer.close();
  }
}
