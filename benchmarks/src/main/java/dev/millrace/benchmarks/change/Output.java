package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.peer.Row;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/// Reads committed results as they come, and measures for how long none came: at all, and in each
/// partition. One thread reads, others ask.
final class Output implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long LOOK_MILLIS = 5;

  private final Ledger ledger;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread reading;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private volatile boolean closing;

  private final Silence whole = new Silence();
  private final Silence[] parts;

  /// When something came last, and how long nothing came since [#begin].
  private static final class Silence {
    private long lastNanos = System.nanoTime();
    private long longestNanos;
    private long lastNumber = -1;

    void begin() {
      longestNanos = 0;
    }

    void hear(long nanos, long number) {
      longestNanos = Math.max(longestNanos, nanos - lastNanos);
      lastNanos = nanos;
      lastNumber = Math.max(lastNumber, number);
    }

    long longestNanos() {
      return Math.max(longestNanos, System.nanoTime() - lastNanos);
    }
  }

  /// @param topic which must exist
  Output(String bootstrap, String topic, int partitions, Ledger ledger) {
    this.ledger = ledger;
    parts = IntStream.range(0, partitions).mapToObj(_ -> new Silence()).toArray(Silence[]::new);
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    reading = Thread.ofPlatform().daemon().name("results").start(this::read);
  }

  private void read() {
    try (consumer) {
      while (!closing) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          Row row = Row.of(record.value());
          ledger.accept(record.partition(), ByteBuffer.wrap(record.key()).getLong(), row);
          hear(record.partition(), System.nanoTime(), row.number());
        }
      }
    } catch (KafkaException | IllegalStateException e) {
      failure.set(e);
    }
  }

  private synchronized void hear(int partition, long nanos, long number) {
    whole.hear(nanos, number);
    parts[partition].hear(nanos, number);
  }

  /// Begins to measure.
  synchronized void begin() {
    whole.begin();
    Arrays.stream(parts).forEach(Silence::begin);
  }

  /// Returns the longest time since [#begin] in which nothing came, in seconds; what came last
  /// before counts as its start.
  synchronized double longest() {
    return whole.longestNanos() / 1e9;
  }

  /// Returns the longest time since [#begin] in which nothing came in some partition, in seconds.
  synchronized double longestOfAPartition() {
    return Arrays.stream(parts).mapToLong(Silence::longestNanos).max().orElse(0) / 1e9;
  }

  private synchronized boolean allReached(long number) {
    return Arrays.stream(parts).allMatch(part -> part.lastNumber >= number);
  }

  /// Waits until each partition had the result of an event with this number or a larger one.
  ///
  /// @param alive throws if there will be none
  void awaitAll(long number, Runnable alive, Duration atMost)
      throws InterruptedException, TimeoutException {
    await(
        () -> allReached(number),
        alive,
        atMost,
        "a result of event %,d or later in each partition".formatted(number));
  }

  /// Waits until no more than so many events have no result yet.
  void awaitAnswered(long atMostMissing, Runnable alive, Duration atMost)
      throws InterruptedException, TimeoutException {
    await(
        () -> ledger.events() - ledger.answered() <= atMostMissing,
        alive,
        atMost,
        "results of all but %,d events".formatted(atMostMissing));
  }

  private void await(BooleanSupplier done, Runnable alive, Duration atMost, String what)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + atMost.toNanos();
    while (!done.getAsBoolean()) {
      alive.run();
      Exception thrown = failure.get();
      if (thrown != null) {
        throw new IllegalStateException("The output cannot be read: " + thrown, thrown);
      }
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "There was not %s within %s; %,d of %,d events have one."
                .formatted(what, atMost, ledger.answered(), ledger.events()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
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
