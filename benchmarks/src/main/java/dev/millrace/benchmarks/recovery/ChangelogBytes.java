package dev.millrace.benchmarks.recovery;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads what a changelog holds between two offsets, with a plain consumer.
final class ChangelogBytes implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;

  ChangelogBytes(String bootstrap, String topic) {
    this.topic = topic;
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  /// The last stable offset of each partition. Takes milliseconds if it was called before.
  Map<Integer, Long> ends(int partitions) {
    Map<Integer, Long> ends = new HashMap<>();
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(each -> new TopicPartition(topic, each)).toList();
    consumer.endOffsets(all).forEach((partition, end) -> ends.put(partition.partition(), end));
    return ends;
  }

  /// The bytes of keys and values of a partition from one offset up to another.
  long between(int partition, long from, long to) {
    TopicPartition split = new TopicPartition(topic, partition);
    consumer.assign(List.of(split));
    consumer.seek(split, from);
    long bytes = 0;
    while (consumer.position(split) < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < to) {
          bytes += Math.max(0, record.serializedKeySize());
          bytes += Math.max(0, record.serializedValueSize());
        }
      }
    }
    consumer.unsubscribe();
    return bytes;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
