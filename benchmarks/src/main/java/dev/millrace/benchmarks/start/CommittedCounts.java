package dev.millrace.benchmarks.start;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads the counts that a job has committed, one for each record of its input, and checks them.
final class CommittedCounts implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<Long, Long> last = new HashMap<>();
  private long seen;

  /// @param topic which must exist, and be empty
  CommittedCounts(String bootstrap, String topic, int partitions) {
    this.topic = topic;
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(all);
    consumer.seekToBeginning(all);
    consumer.poll(Duration.ZERO);
  }

  /// How many were read.
  long seen() {
    return seen;
  }

  /// Waits until as many were read.
  ///
  /// @param alive throws if there will be no more
  /// @throws IllegalStateException if a count is not one more than the key's last one
  void await(long records, Runnable alive) throws TimeoutException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (seen < records) {
      alive.run();
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "Topic '%s' has %,d committed records after %s; expected %,d."
                .formatted(topic, seen, PATIENCE, records));
      }
      consumer.poll(POLL).forEach(this::accept);
    }
  }

  private void accept(ConsumerRecord<byte[], byte[]> record) {
    seen++;
    long key = ByteBuffer.wrap(record.key()).getLong();
    long count = ByteBuffer.wrap(record.value()).getLong();
    long wanted = last.getOrDefault(key, 0L) + 1;
    last.put(key, wanted);
    if (count != wanted) {
      throw new IllegalStateException(
          "Topic '%s' has %d as the count of key %d at offset %d of partition %d; expected %d."
              .formatted(topic, count, key, record.offset(), record.partition(), wanted));
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
