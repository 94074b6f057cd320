package dev.millrace.benchmarks.containers;

import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.change.peer.Row;
import dev.millrace.benchmarks.containers.Timeline.Gap;
import dev.millrace.internal.engine.plan.KeyShare;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/// Reads committed rows as they come, and remembers when each partition had some. One thread reads,
/// others ask. Times are of [System#nanoTime] of this process.
final class Arrivals implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final KeyShare OTHERS = KeyShare.ALL.splitOff();
  private static final long LONGEST_LATENCY_MICROS = 600_000_000;

  private final Expected expected;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Timeline[] parts;

  /// By partition, when rows came of the keys that its task keeps when it is split first, and of
  /// the others.
  private final Timeline[][] halves;

  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final Histogram latency = new Histogram(LONGEST_LATENCY_MICROS, 3);
  private final Thread reading;
  private volatile boolean closing;

  Arrivals(String bootstrap, String topic, int partitions, Expected expected) {
    this.expected = expected;
    parts = timelines(partitions);
    halves = new Timeline[][] {timelines(partitions), timelines(partitions)};
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    reading = Thread.ofPlatform().daemon().name("arrivals").start(this::read);
  }

  private static Timeline[] timelines(int partitions) {
    return IntStream.range(0, partitions).mapToObj(_ -> new Timeline()).toArray(Timeline[]::new);
  }

  private void read() {
    try (consumer) {
      while (!closing) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        long now = System.nanoTime();
        for (TopicPartition each : records.partitions()) {
          for (ConsumerRecord<byte[], byte[]> record : records.records(each)) {
            long key = ByteBuffer.wrap(record.key()).getLong();
            long sent = expected.accept(key, Row.of(record.value()));
            int half = OTHERS.has(Bytes.of(record.key())) ? 1 : 0;
            synchronized (this) {
              halves[half][each.partition()].add(now);
              latency.recordValue(Math.clamp((now - sent) / 1_000, 0, LONGEST_LATENCY_MICROS));
            }
          }
          synchronized (this) {
            parts[each.partition()].add(now);
          }
        }
      }
    } catch (KafkaException | IllegalStateException e) {
      failure.set(e);
    }
  }

  /// @throws IllegalStateException if the rows cannot be read
  void requireRead() {
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("The output cannot be read: " + thrown, thrown);
    }
  }

  /// Returns when a partition had its first row behind a moment; [Long#MAX_VALUE] if it had none.
  synchronized long firstAfter(int partition, long moment) {
    return parts[partition].firstAfter(moment);
  }

  /// Returns the longest time in which a partition had no row, of those between two moments; see
  /// [Timeline#longest].
  synchronized Gap longest(int partition, long from, long to) {
    return parts[partition].longest(from, to);
  }

  /// Returns the longest time in which a partition had no row of half of its keys; see [#longest].
  ///
  /// @param others those that a task gets that is split off first, or those that its own keeps
  synchronized Gap longest(int partition, boolean others, long from, long to) {
    return halves[others ? 1 : 0][partition].longest(from, to);
  }

  /// Begins to measure the time from an event to its row anew.
  synchronized void resetLatency() {
    latency.reset();
  }

  /// Returns how long a share of the events took to their rows, in milliseconds.
  synchronized double latencyMillis(double percentile) {
    return latency.getValueAtPercentile(percentile) / 1e3;
  }

  @Override
  public void close() {
    closing = true;
    try {
      reading.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
