package dev.millrace.cli.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Listens for how long the partitions of a topic get no committed rows. Thread-safe.
final class Silence implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  private final Map<Integer, Long> lastNanos = new TreeMap<>();
  private final Map<Integer, Long> longestNanos = new TreeMap<>();
  private final String bootstrap;
  private final String topic;
  private final Thread thread = new Thread(this::listen, "silence");
  private long rows;
  private volatile boolean closed;

  Silence(String bootstrap, String topic) {
    this.bootstrap = bootstrap;
    this.topic = topic;
    thread.start();
  }

  private void listen() {
    try (KafkaConsumer<byte[], byte[]> consumer =
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
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(all);
      while (!closed) {
        var records = consumer.poll(POLL);
        records.partitions().forEach(each -> heard(each.partition(), records.records(each).size()));
      }
    }
  }

  private synchronized void heard(int partition, int count) {
    rows += count;
    long now = System.nanoTime();
    Long before = lastNanos.put(partition, now);
    if (before != null) {
      longestNanos.merge(partition, now - before, Math::max);
    }
  }

  /// Returns how many rows there have been.
  synchronized long rows() {
    return rows;
  }

  /// Forgets what was, but not since when each partition is silent.
  synchronized void begin() {
    longestNanos.clear();
  }

  /// Returns the longest silence of any partition since the beginning, up to now, in milliseconds.
  synchronized long longestMillis() {
    long now = System.nanoTime();
    long longest = 0;
    for (Map.Entry<Integer, Long> each : lastNanos.entrySet()) {
      longest = Math.max(longest, now - each.getValue());
      longest = Math.max(longest, longestNanos.getOrDefault(each.getKey(), 0L));
    }
    return Duration.ofNanos(longest).toMillis();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
