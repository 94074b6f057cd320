package dev.millrace.benchmarks.scenarios;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/// A topic that was written for a workload, and what engines must make of it.
///
/// @param asked how many records ask, one for each key that occurs
/// @param counts of each key
/// @param fingerprint of all records
record Input(Workload workload, long asked, int[] counts, Fingerprint fingerprint) {
  private static final long TOLD_EVERY = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Records of the topic, those that ask among them.
  long all() {
    return workload.records() + asked;
  }

  /// The partition that Kafka's own partitioner gives a key.
  static int partition(byte[] key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  /// Writes the records of a workload, and then for each key that occurs one that asks.
  static Input write(Workload workload, String bootstrap, int partitions, Consumer<String> progress)
      throws InterruptedException, ExecutionException, TimeoutException {
    int[] counts = workload.counts();
    try (Writer writer = new Writer(workload, bootstrap, partitions)) {
      LongUnaryOperator keyOf = workload.keyOf();
      byte[] padded = new byte[workload.recordBytes() - Event.KEY_BYTES];
      Padding padding = new Padding();
      for (long number = 0; number < workload.records(); number++) {
        long key = keyOf.applyAsLong(number);
        Event.head(padded, false, key, number);
        padding.fill(padded, number);
        writer.send(key, padded.clone());
        if (number % TOLD_EVERY == 0) {
          progress.accept(
              "Writing %s: %,d of %,d records"
                  .formatted(workload.topic(), number, workload.records()));
        }
      }
      long asked = 0;
      for (int key = 0; key < counts.length; key++) {
        if (counts[key] > 0) {
          byte[] value = new byte[Event.HEAD_BYTES];
          Event.head(value, true, key, workload.records() + asked++);
          writer.send(key, value);
        }
      }
      writer.finish();
      return new Input(workload, asked, counts, writer.fingerprint);
    }
  }

  private static final class Writer implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final String topic;
    private final int partitions;
    private final Fingerprint fingerprint;

    Writer(Workload workload, String bootstrap, int partitions)
        throws InterruptedException, ExecutionException, TimeoutException {
      topic = workload.topic();
      this.partitions = partitions;
      fingerprint = new Fingerprint(partitions);
      Topics.create(bootstrap, topic, partitions);
      producer =
          new KafkaProducer<>(
              Map.of(
                  ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                  ProducerConfig.COMPRESSION_TYPE_CONFIG, workload.compression(),
                  ProducerConfig.LINGER_MS_CONFIG, "20",
                  ProducerConfig.BATCH_SIZE_CONFIG, "131072",
                  ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
              new ByteArraySerializer(),
              new ByteArraySerializer());
    }

    void send(long key, byte[] value) {
      byte[] keyBytes = Event.toBytes(key);
      int partition = partition(keyBytes, partitions);
      fingerprint.add(partition, keyBytes, value);
      var _ =
          producer.send(
              new ProducerRecord<>(topic, partition, keyBytes, value),
              (_, thrown) -> {
                if (thrown != null) {
                  failure.compareAndSet(null, thrown);
                }
              });
    }

    void finish() {
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
}
