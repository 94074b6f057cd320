package dev.millrace.examples.flights;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads what is committed in a topic, from its start to the end it has at the beginning, with an
/// ordinary consumer.
final class TopicReader implements AutoCloseable {
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
    ends = consumer.endOffsets(partitions);
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
