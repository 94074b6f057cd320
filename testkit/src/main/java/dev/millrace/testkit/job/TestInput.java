package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.chain.Partitioner;
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

/// Sends records to a topic that a job reads. They are there when the job next does anything, in
/// the order in which they were sent. Used by the test's thread.
///
/// A record with a key goes to the partition that Kafka's own producer chooses; those without go to
/// all partitions in turn.
///
/// @param <K> the keys
/// @param <V> the values
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

  /// Gives the records that are sent from now on this timestamp instead of the time of the job's
  /// clock. It is their event time, unless the source takes that from the value.
  public TestInput<K, V> at(Instant newTimestamp) {
    timestamp = newTimestamp;
    return this;
  }

  /// Gives the records that are sent from now on a header, beside those of other names.
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

  /// Sends a record without a key to each partition, so that event time moves on in all of them.
  ///
  /// @throws IllegalArgumentException if the topic has keys
  public TestInput<K, V> sendToEveryPartition(V value) {
    requireNoKeys("sendToEveryPartition(keys, value)");
    for (int i = 0; i < partitions; i++) {
      add(i, null, value);
    }
    return this;
  }

  /// Sends a record to each partition, so that event time moves on in all of them.
  ///
  /// @param keys gives keys to choose from for 0, 1 and so on: the first that belongs to a
  ///   partition is taken
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

  /// Says that nothing more will come, which closes every window. Where a topic ends is decided
  /// when the job first does anything, so this comes before that.
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
        "The application takes the keys of topic '%s' as bytes; found %s."
            .formatted(topic, key.getClass().getName()));
  }

  private <T> Bytes written(Serde<T> serde, T value, Consumer<BytesWriter> write) {
    BytesWriter out = new BytesWriter();
    try {
      write.accept(out);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "Topic '%s' is written with serde '%s', which does not take a %s."
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
