package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Split;
import dev.millrace.testkit.sim.InputRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Sends records to an input topic of a job. The job reads them in the order in which they were
/// sent, when it next works. Used by the test's thread.
///
/// A record with a key is sent to the partition that Kafka's producer would choose; records without
/// a key are sent to all partitions in turn.
///
/// @param <K> the type of keys
/// @param <V> the type of values
public final class TestInput<K, V> {
  private static final int MOST_KEYS = 1_000_000;

  private final TestJob job;
  private final String topic;
  private final int partitions;
  private final @Nullable Serde<K> keySerde;
  private final Serde<V> valueSerde;
  private @Nullable Instant timestamp;
  private final Map<String, String> headers = new TreeMap<>();

  /// @param keySerde null if keys are [Bytes], of which the application knows nothing
  TestInput(
      TestJob job, String topic, int partitions, @Nullable Serde<K> keySerde, Serde<V> valueSerde) {
    this.job = job;
    this.topic = topic;
    this.partitions = partitions;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
  }

  /// Sets the timestamp of the records that are sent from now on; without it, they have the time of
  /// the job's clock. It is their event time, unless the source takes that from the value.
  public TestInput<K, V> at(Instant newTimestamp) {
    timestamp = newTimestamp;
    return this;
  }

  /// Adds a header to the records that are sent from now on; it replaces an earlier one of the same
  /// name.
  public TestInput<K, V> header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /// Sends a record without a key.
  ///
  /// @throws IllegalArgumentException if the topic has keys, or values of another type
  public TestInput<K, V> send(V value) {
    requireNoKeys("send(key, value)");
    add(job.nextPartition(topic), null, value);
    return this;
  }

  private void requireNoKeys(String instead) {
    if (keySerde != null) {
      throw new IllegalArgumentException(
          "The records of topic '%s' have keys: %s.".formatted(topic, instead));
    }
  }

  /// Sends a record.
  ///
  /// @throws IllegalArgumentException if the topic has keys or values of another type
  public TestInput<K, V> send(K key, V value) {
    Bytes written = key(key);
    add(Partitioner.partition(written, partitions), written, value);
    return this;
  }

  /// Sends a key without a value, which deletes it from a table.
  public TestInput<K, V> delete(K key) {
    Bytes written = key(key);
    add(Partitioner.partition(written, partitions), written, null);
    return this;
  }

  /// Sends a record without a key to each partition, so that event time advances in all of them.
  ///
  /// @throws IllegalArgumentException if the topic has keys
  public TestInput<K, V> sendToEveryPartition(V value) {
    requireNoKeys("sendToEveryPartition(keys, value)");
    for (int i = 0; i < partitions; i++) {
      add(i, null, value);
    }
    return this;
  }

  /// Sends a record to each partition, so that event time advances in all of them.
  ///
  /// @param keys returns candidate keys for 0, 1 and so on; for each partition, the first key that
  ///   belongs to it is used
  public TestInput<K, V> sendToEveryPartition(IntFunction<? extends K> keys, V value) {
    Set<Integer> left = new TreeSet<>();
    for (int i = 0; i < partitions; i++) {
      left.add(i);
    }
    for (int i = 0; !left.isEmpty(); i++) {
      if (i == MOST_KEYS) {
        throw new IllegalArgumentException(
            "None of %d keys belongs to the partitions %s of topic '%s'."
                .formatted(MOST_KEYS, left, topic));
      }
      K key = keys.apply(i);
      if (left.remove(Partitioner.partition(key(key), partitions))) {
        send(key, value);
      }
    }
    return this;
  }

  /// Ends the topic, which closes every window. Must be called before the job first works, because
  /// the end of a topic is fixed then.
  public void end() {
    job.end(topic);
  }

  private Bytes key(K key) {
    if (keySerde != null) {
      return written(keySerde, key, out -> keySerde.write(key, out));
    }
    if (key instanceof Bytes bytes) {
      return bytes.copy();
    }
    throw new IllegalArgumentException(
        "The application reads the keys of topic '%s' as bytes; found %s."
            .formatted(topic, key.getClass().getName()));
  }

  private <T> Bytes written(Serde<T> serde, T value, Consumer<BytesWriter> write) {
    BytesWriter out = new BytesWriter();
    try {
      write.accept(out);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "Topic '%s' has serde '%s', which cannot write a %s."
              .formatted(topic, serde.id(), value.getClass().getName()),
          e);
    }
    return Bytes.of(out.toByteArray());
  }

  private void add(int partition, @Nullable Bytes key, @Nullable V value) {
    RecordHeaders ofRecord = new RecordHeaders();
    headers.forEach((name, said) -> ofRecord.add(name, said.getBytes(StandardCharsets.UTF_8)));
    Bytes written =
        value == null
            ? null
            : written(
                valueSerde,
                value,
                out -> {
                  if (valueSerde.usesHeaders()) {
                    valueSerde.write(value, ofRecord, out);
                  } else {
                    valueSerde.write(value, out);
                  }
                });
    BytesWriter encoded = new BytesWriter();
    Headers.write(ofRecord, encoded);
    long millis = timestamp == null ? job.millis() : timestamp.toEpochMilli();
    job.send(
        new InputRecord(
            new Split(topic, partition), millis, key, written, Bytes.of(encoded.toByteArray())));
  }
}
