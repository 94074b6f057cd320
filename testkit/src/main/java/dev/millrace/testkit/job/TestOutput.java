package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a job has committed to a topic. Every method first has the job process and commit all that
/// was sent. Used by the test's thread.
///
/// @param <K> the keys
/// @param <V> the values; compared by `equals`
public final class TestOutput<K, V> {
  private static final String RETRACTION = "millrace.retraction";

  private final TestJob job;
  private final String topic;
  private final int partitions;
  private final @Nullable Serde<K> keySerde;
  private final Serde<V> valueSerde;

  /// @param keySerde null if keys are [Bytes]
  TestOutput(
      TestJob job, String topic, int partitions, @Nullable Serde<K> keySerde, Serde<V> valueSerde) {
    this.job = job;
    this.topic = topic;
    this.partitions = partitions;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
  }

  // What is there.

  /// All records, partition by partition, in order.
  public List<TestRecord<K, V>> records() {
    List<TestRecord<K, V>> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      Split split = new Split(topic, i);
      for (ModelRecord record : job.written(split)) {
        all.add(read(split, record));
      }
    }
    return all;
  }

  private TestRecord<K, V> read(Split split, ModelRecord record) {
    return new TestRecord<>(
        split.stream(),
        split.partition(),
        record.offset(),
        key(record.key()),
        value(record, valueSerde),
        Instant.ofEpochMilli(record.timestamp()),
        TestLetter.headers(record),
        isRetraction(record));
  }

  /// What a topic's serde makes of a record's value; null if there is none.
  static <V> @Nullable V value(ModelRecord record, Serde<V> serde) {
    Bytes value = record.value();
    if (value == null || !serde.usesHeaders()) {
      return value == null ? null : serde.read(value);
    }
    RecordHeaders headers = new RecordHeaders();
    for (ModelRecord.Header header : record.headers()) {
      Bytes said = header.value();
      headers.add(header.name(), said == null ? null : said.toByteArray());
    }
    return serde.read(value, headers);
  }

  /// Whether a record takes back another.
  static boolean isRetraction(ModelRecord record) {
    return record.headers().stream().anyMatch(header -> header.name().equals(RETRACTION));
  }

  @SuppressWarnings("unchecked") // without a serde keys are Bytes
  private @Nullable K key(@Nullable Bytes key) {
    if (key == null) {
      return null;
    }
    return keySerde == null ? (K) key : keySerde.read(key);
  }

  /// The values of all records, partition by partition, in order, without those that were taken
  /// back.
  public List<V> values() {
    return values(records());
  }

  private List<V> values(List<TestRecord<K, V>> records) {
    List<V> values = new ArrayList<>();
    for (TestRecord<K, V> record : records) {
      V value = record.value();
      if (value != null && record.retraction()) {
        int last = values.lastIndexOf(value);
        if (last >= 0) {
          values.remove(last);
        }
      } else if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /// The last value of each key, without those that were deleted or taken back: what is left of the
  /// topic if it is compacted.
  ///
  /// @throws IllegalStateException if a record has no key
  public Map<K, V> latest() {
    return latest(records());
  }

  private Map<K, V> latest(List<TestRecord<K, V>> records) {
    Map<K, V> latest = new LinkedHashMap<>();
    for (TestRecord<K, V> record : records) {
      K key = record.key();
      V value = record.value();
      if (key == null) {
        throw new IllegalStateException(
            "Records of topic '%s' have no keys, so none is the latest of its key: %s"
                .formatted(topic, record));
      }
      if (value == null || record.retraction()) {
        latest.remove(key);
      } else {
        latest.put(key, value);
      }
    }
    return latest;
  }

  // What must be there.

  /// These are the values of all records, in any order, without those that were taken back.
  @SafeVarargs
  public final TestOutput<K, V> hasValues(V... expected) {
    List<V> wanted = new ArrayList<>();
    for (V value : expected) {
      wanted.add(value);
    }
    List<TestRecord<K, V>> records = records();
    List<V> found = values(records);
    List<V> missing = new ArrayList<>(wanted);
    List<V> surplus = new ArrayList<>();
    for (V value : found) {
      if (!missing.remove(value)) {
        surplus.add(value);
      }
    }
    if (!missing.isEmpty() || !surplus.isEmpty()) {
      throw job.failed(
          "Topic '%s' has other values: %s are missing, %s should not be there."
              .formatted(topic, missing, surplus),
          wanted,
          found,
          records);
    }
    return this;
  }

  /// These are the values of all records with a key, in order, without those that were taken back.
  @SafeVarargs
  public final TestOutput<K, V> hasValuesOf(K key, V... expected) {
    List<V> wanted = new ArrayList<>();
    for (V value : expected) {
      wanted.add(value);
    }
    List<TestRecord<K, V>> records = withKey(key, records());
    List<V> found = values(records);
    if (!found.equals(wanted)) {
      throw job.failed(
          "Topic '%s' has other values of key %s.".formatted(topic, key), wanted, found, records);
    }
    return this;
  }

  private List<TestRecord<K, V>> withKey(K key, List<TestRecord<K, V>> records) {
    return records.stream().filter(record -> key.equals(record.key())).toList();
  }

  /// This is the last value of a key.
  public TestOutput<K, V> hasLatest(K key, V expected) {
    List<TestRecord<K, V>> records = records();
    Map<K, V> latest = latest(records);
    V found = latest.get(key);
    if (!expected.equals(found)) {
      List<TestRecord<K, V>> ofKey = withKey(key, records);
      throw job.failed(
          "Topic '%s' has another latest value of key %s.".formatted(topic, key),
          expected,
          found == null ? "none" : found,
          ofKey.isEmpty() ? List.of("its keys: " + latest.keySet()) : ofKey);
    }
    return this;
  }

  /// These are all keys and their last values.
  public TestOutput<K, V> hasLatest(Map<? extends K, ? extends V> expected) {
    List<TestRecord<K, V>> records = records();
    Map<K, V> found = latest(records);
    if (!found.equals(expected)) {
      throw job.failed(
          "Topic '%s' is left with other values.".formatted(topic), expected, found, records);
    }
    return this;
  }

  /// The key has no value: it was never written, or was deleted or taken back.
  public TestOutput<K, V> hasNo(K key) {
    List<TestRecord<K, V>> records = records();
    V found = latest(records).get(key);
    if (found != null) {
      throw job.failed(
          "Topic '%s' has a value of key %s.".formatted(topic, key),
          "none",
          found,
          withKey(key, records));
    }
    return this;
  }

  /// There are no records.
  public TestOutput<K, V> isEmpty() {
    List<TestRecord<K, V>> records = records();
    if (!records.isEmpty()) {
      throw job.failed(
          "Topic '%s' has records.".formatted(topic), "none", records.size() + " records", records);
    }
    return this;
  }
}
