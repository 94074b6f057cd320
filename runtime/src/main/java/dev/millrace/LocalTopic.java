package dev.millrace;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A topic of a [LocalLog], as a program writes and reads it. A record with a key goes to the
/// partition that Kafka's producer would choose; records without a key go to all partitions in
/// turn. Thread-safe.
public final class LocalTopic<K, V> {
  private static final int BATCH_BYTES = 64 << 10;

  private final LocalLog local;
  private final String name;
  private final Serde<K> keys;
  private final Serde<V> values;
  private final AtomicInteger turn = new AtomicInteger();

  LocalTopic(LocalLog local, String name, Serde<K> keys, Serde<V> values) {
    this.local = local;
    this.name = name;
    this.keys = keys.forTopic(name, true);
    this.values = values.forTopic(name, false);
    partitions();
  }

  private int partitions() {
    Integer partitions = local.log().partitions(List.of(name)).get(name);
    if (partitions == null) {
      throw new LogException(
          Kind.MISSING,
          "The local log has no topic '%s'. Create it with createTopic, or start the application that writes it first; there are %s."
              .formatted(name, local.topics()));
    }
    return partitions;
  }

  /// Writes a record with the present time.
  ///
  /// @param key null for none
  public void send(@Nullable K key, V value) {
    send(key, value, Instant.now());
  }

  /// Writes a record.
  ///
  /// @param key null for none
  /// @throws IllegalArgumentException if the record is larger than the topic takes
  public void send(@Nullable K key, V value, Instant timestamp) {
    Outgoing out = new Outgoing();
    out.add(key, value, timestamp);
    local.write(out.batches);
  }

  /// Writes a key without a value, which deletes it from a table.
  public void delete(K key) {
    Outgoing out = new Outgoing();
    out.add(key, null, Instant.now());
    local.write(out.batches);
  }

  /// Writes many records, in this order.
  ///
  /// @param key returns the key of a value
  /// @param timestamp returns the time of a value's record
  /// @throws IllegalArgumentException if a record is larger than the topic takes
  public void sendAll(
      Collection<? extends V> all, Function<V, K> key, Function<V, Instant> timestamp) {
    Outgoing out = new Outgoing();
    for (V value : all) {
      out.add(key.apply(value), value, timestamp.apply(value));
    }
    local.write(out.batches);
  }

  /// Records on their way to partitions.
  private final class Outgoing {
    final Map<Split, List<RecordBatch>> batches = new TreeMap<>();
    private final int partitions = partitions();
    private final BytesWriter keyBytes = new BytesWriter();

    void add(@Nullable K key, @Nullable V value, Instant timestamp) {
      keyBytes.clear();
      if (key != null) {
        keys.write(key, keyBytes);
      }
      Split split = new Split(name, partition(key));
      RecordBatch batch = batch(split);
      batch.append(batch.size(), timestamp.toEpochMilli());
      if (key != null) {
        batch.key(keyBytes.array(), 0, keyBytes.length());
      }
      if (value != null) {
        addValue(batch, value);
      }
    }

    private int partition(@Nullable K key) {
      return key == null
          ? Math.floorMod(turn.getAndIncrement(), partitions)
          : Partitioner.partition(keyBytes.view(new Bytes(), 0), partitions);
    }

    private RecordBatch batch(Split split) {
      List<RecordBatch> those = batches.computeIfAbsent(split, _ -> new ArrayList<>());
      if (those.isEmpty() || those.getLast().dataLength() >= BATCH_BYTES) {
        those.add(RecordBatch.create());
      }
      return those.getLast();
    }

    private void addValue(RecordBatch batch, V value) {
      int start = batch.data().length();
      if (!values.usesHeaders()) {
        values.write(value, batch.data());
        batch.endValue(start);
        return;
      }
      RecordHeaders ofRecord = new RecordHeaders();
      values.write(value, ofRecord, batch.data());
      batch.endValue(start);
      int startOfHeaders = batch.data().length();
      Headers.write(ofRecord, batch.data());
      batch.endHeaders(startOfHeaders);
    }
  }

  /// Returns all records that are committed by now, partition by partition, in order.
  public List<LocalRecord<K, V>> records() {
    Log log = local.log();
    List<Split> splits = new ArrayList<>();
    for (int i = 0; i < partitions(); i++) {
      splits.add(new Split(name, i));
    }
    Map<Split, Log.Offsets> offsets = log.offsets(splits);
    List<LocalRecord<K, V>> records = new ArrayList<>();
    try (SplitReader reader = log.reader("local")) {
      for (Split split : splits) {
        Log.Offsets known = Objects.requireNonNull(offsets.get(split));
        read(reader, split, known.start(), known.stableEnd(), records);
      }
    }
    return records;
  }

  private void read(
      SplitReader reader, Split split, long from, long to, List<LocalRecord<K, V>> into) {
    reader.add(split, Position.of(from));
    long next = from;
    while (next < to) {
      RecordBatch batch = Objects.requireNonNull(reader.poll(Duration.ZERO));
      for (int i = 0; i < batch.size() && batch.offset(i) < to; i++) {
        into.add(record(batch, i));
      }
      next = batch.nextOffset();
      batch.release();
    }
    reader.remove(split);
  }

  private LocalRecord<K, V> record(RecordBatch batch, int index) {
    Bytes view = new Bytes();
    RecordHeaders headers = new RecordHeaders();
    Headers.read(batch.headers(index, view), headers);
    K key = batch.hasKey(index) ? keys.read(batch.key(index, view)) : null;
    V value = batch.hasValue(index) ? values.read(batch.value(index, view), headers) : null;
    return new LocalRecord<>(
        batch.split().partition(),
        batch.offset(index),
        Instant.ofEpochMilli(batch.timestamp(index)),
        key,
        value,
        headers);
  }

  /// Returns the values of all records that are committed by now, partition by partition, in order.
  public List<V> values() {
    List<V> found = new ArrayList<>();
    for (LocalRecord<K, V> record : records()) {
      V value = record.value();
      if (value != null) {
        found.add(value);
      }
    }
    return found;
  }

  /// Returns the last committed value of each key, without keys that were deleted. Records without
  /// a key are left out.
  public Map<K, V> latest() {
    Map<K, V> latest = new LinkedHashMap<>();
    for (LocalRecord<K, V> record : records()) {
      K key = record.key();
      V value = record.value();
      if (key != null && value != null) {
        latest.put(key, value);
      } else if (key != null) {
        latest.remove(key);
      }
    }
    return latest;
  }

  /// Deletes all records that are committed by now.
  ///
  /// @throws LogException if the topic is compacted
  public void clear() {
    Log log = local.log();
    Map<Split, Long> ends = new TreeMap<>();
    for (int i = 0; i < partitions(); i++) {
      Split split = new Split(name, i);
      ends.put(split, Objects.requireNonNull(log.offsets(List.of(split)).get(split)).stableEnd());
    }
    log.deleteBefore(ends);
  }
}
