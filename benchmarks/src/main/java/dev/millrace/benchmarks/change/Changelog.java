package dev.millrace.benchmarks.change;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// What is written to the changelog, read by a plain consumer: an entry has the store's number in
/// two bytes and the key, and a commit record has the number 0.
final class Changelog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /// What was written between two moments.
  ///
  /// @param entries of stores
  /// @param bytes of all keys and values, commit records among them
  /// @param unasked entries for keys that no event had
  /// @param unaskedBytes of their keys and values
  record Written(long entries, long bytes, long unasked, long unaskedBytes) {}

  Changelog(String bootstrap, String topic) {
    this.topic = topic;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  /// Returns the end of each partition.
  Map<TopicPartition, Long> ends() {
    List<TopicPartition> all =
        consumer.partitionsFor(topic).stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .toList();
    return Map.copyOf(consumer.endOffsets(all));
  }

  /// Returns what lies between two results of [#ends].
  ///
  /// @param keys of the events whose entries may be there
  Written between(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to, Set<Long> keys) {
    long entries = 0;
    long bytes = 0;
    long unasked = 0;
    long unaskedBytes = 0;
    for (Map.Entry<TopicPartition, Long> end : to.entrySet()) {
      consumer.assign(List.of(end.getKey()));
      consumer.seek(end.getKey(), from.getOrDefault(end.getKey(), 0L));
      while (consumer.position(end.getKey()) < end.getValue()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.offset() >= end.getValue()) {
            continue;
          }
          long size = (long) record.key().length + Math.max(0, record.serializedValueSize());
          bytes += size;
          if (ByteBuffer.wrap(record.key()).getShort() != 0) {
            entries++;
            if (!isAsked(record.key(), keys)) {
              unasked++;
              unaskedBytes += size;
            }
          }
        }
      }
    }
    return new Written(entries, bytes, unasked, unaskedBytes);
  }

  private static boolean isAsked(byte[] key, Set<Long> keys) {
    return key.length == Short.BYTES + Long.BYTES
        && keys.contains(ByteBuffer.wrap(key).getLong(Short.BYTES));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
