package dev.millrace.examples.flights;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads what is committed in a topic, from its start to the end it has at the beginning, with an
/// ordinary consumer. What a job that has ended has committed last may still wait for the markers
/// that make it visible, so it waits until all that was written when it began is decided.
final class TopicReader implements AutoCloseable {
  private static final long MOST_WAITED_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long STEP_NANOS = Duration.ofMillis(20).toNanos();

  private final KafkaConsumer<String, String> consumer;
  private final Map<TopicPartition, Long> ends;
  private final Queue<ConsumerRecord<String, String>> waiting = new ArrayDeque<>();

  TopicReader(String bootstrap, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> written =
        ends(bootstrap, partitions, IsolationLevel.READ_UNCOMMITTED);
    long start = System.nanoTime();
    while (!isDecided(written, consumer.endOffsets(partitions))
        && System.nanoTime() - start < MOST_WAITED_NANOS) {
      LockSupport.parkNanos(STEP_NANOS);
    }
    ends = consumer.endOffsets(partitions);
  }

  private static Map<TopicPartition, Long> ends(
      String bootstrap, List<TopicPartition> partitions, IsolationLevel level) {
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
      return admin
          .listOffsets(
              partitions.stream()
                  .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest())),
              new ListOffsetsOptions(level))
          .all()
          .get()
          .entrySet()
          .stream()
          .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
    } catch (ExecutionException e) {
      throw new KafkaException("The ends of " + partitions + " cannot be found.", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("Interrupted while the ends of " + partitions + " were found.", e);
    }
  }

  private static boolean isDecided(
      Map<TopicPartition, Long> written, Map<TopicPartition, Long> committed) {
    return written.entrySet().stream()
        .allMatch(each -> committed.getOrDefault(each.getKey(), 0L) >= each.getValue());
  }

  /// The next record, or nothing at the end. Records of a partition come in order.
  Optional<ConsumerRecord<String, String>> next() {
    while (waiting.isEmpty() && !atEnd()) {
      consumer.poll(Duration.ofMillis(100)).forEach(waiting::add);
    }
    return Optional.ofNullable(waiting.poll());
  }

  private boolean atEnd() {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
