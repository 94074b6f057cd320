package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.kafka.client.KafkaProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// The dead letters in a topic, as far as they are committed when it is opened. Used by one thread.
final class Letters implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final int PATIENCE_MILLIS = 15_000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final long start;
  private final long end;
  private final ResentOffsets resent;

  /// Receives letters.
  @FunctionalInterface
  interface Visitor {
    /// @param resent whether it was sent again
    /// @return whether to continue
    boolean letter(Letter letter, boolean resent) throws InterruptedException;
  }

  /// Opens a topic and looks which of its letters were sent again.
  Letters(String servers, Map<String, String> properties, String topic)
      throws InterruptedException {
    Map<String, Object> known = KafkaProperties.knownTo(ConsumerConfig.configDef(), properties);
    known.put("bootstrap.servers", servers);
    known.put("isolation.level", "read_committed");
    known.put("enable.auto.commit", false);
    known.put("auto.offset.reset", "earliest");
    known.put("allow.auto.create.topics", false);
    known.putIfAbsent("default.api.timeout.ms", PATIENCE_MILLIS);
    known.putIfAbsent("request.timeout.ms", PATIENCE_MILLIS);
    consumer = new KafkaConsumer<>(known, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    boolean open = false;
    try {
      // Dead letters lie in one partition.
      partition = new TopicPartition(topic, 0);
      if (!consumer.listTopics().containsKey(topic)) {
        throw new UserException(
            ExitCode.USAGE,
            "Topic '%s' does not exist at %s. An application writes dead letters if it runs with errors.on-error: dead-letter."
                .formatted(topic, servers));
      }
      List<TopicPartition> all = List.of(partition);
      consumer.assign(all);
      start = consumer.beginningOffsets(all).getOrDefault(partition, 0L);
      end = consumer.endOffsets(all).getOrDefault(partition, 0L);
      resent = new ResentOffsets(start);
      read(record -> {
        resent.takes(record);
        return true;
      });
      open = true;
    } finally {
      if (!open) {
        consumer.close();
      }
    }
  }

  TopicPartition partition() {
    return partition;
  }

  /// Shows the letters, oldest first.
  void each(Visitor visitor) throws InterruptedException {
    ResentOffsets notes = new ResentOffsets(start);
    read(record ->
        notes.takes(record)
            || visitor.letter(new Letter(record), resent.contains(record.offset())));
  }

  private interface Records {
    boolean record(ConsumerRecord<byte[], byte[]> record) throws InterruptedException;
  }

  private void read(Records visitor) throws InterruptedException {
    consumer.seek(partition, start);
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(WAIT)) {
        if (record.offset() < end && !visitor.record(record)) {
          return;
        }
      }
    }
  }

  /// Returns how many partitions topics have; without those that do not exist.
  Map<String, Integer> partitions(Iterable<String> topics) {
    Map<String, List<PartitionInfo>> existing = consumer.listTopics();
    Map<String, Integer> found = new HashMap<>();
    for (String topic : topics) {
      List<PartitionInfo> partitions = existing.getOrDefault(topic, new ArrayList<>());
      if (!partitions.isEmpty()) {
        found.put(topic, partitions.size());
      }
    }
    return found;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
