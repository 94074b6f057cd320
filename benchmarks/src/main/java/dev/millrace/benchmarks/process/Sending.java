package dev.millrace.benchmarks.process;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes records each once and in order, whatever their keys and values are, so that what an
/// engine makes of them can be checked. [Producing] is quicker to use where it cannot.
public final class Sending implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /// @param linger how long a record may wait for others; nothing is gained by 0 where it does not
  ///   matter
  public Sending(String bootstrap, Duration linger) {
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.LINGER_MS_CONFIG,
                Long.toString(linger.toMillis()),
                // With several, a batch that a new partition refused may wait until it expires.
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                "1",
                ProducerConfig.BATCH_SIZE_CONFIG,
                "131072",
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /// Sends a record to the partition of its key.
  ///
  /// @param value null deletes the key of a compacted topic
  public void send(String topic, byte[] key, byte @Nullable [] value) {
    var _ =
        producer.send(
            new ProducerRecord<>(topic, key, value),
            (_, thrown) -> {
              if (thrown != null) {
                failure.compareAndSet(null, thrown);
              }
            });
  }

  /// Waits until all that was sent is there.
  ///
  /// @throws IllegalStateException if something is not
  public void finish() {
    producer.flush();
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("Records could not be written: " + thrown, thrown);
    }
  }

  @Override
  public void close() {
    producer.close(PATIENCE);
  }
}
