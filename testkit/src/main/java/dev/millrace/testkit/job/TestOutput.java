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

/// Reads and checks what a job has committed to a topic. Every method first lets the job process
/// and commit everything that was sent. The methods `has...` and `is...` throw an `AssertionError`
/// if the expectation does not hold. Used by the test's thread.
///
/// @param <K> the type of keys
/// @param <V> the type of values, which are compared with `equals`
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

  /// Returns all records, partition by partition, in order.
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

  /// Returns what a topic's serde makes of a record's value; null if there is none.
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

  /// Returns whether a record takes back another.
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

  /// Returns the values of all records, partition by partition, in order, without those that were
  /// retracted.
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

  /// Returns the last value of each key, without keys that were deleted or retracted: the content
  /// of the topic after compaction.
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
            "Topic '%s' has a record without a key, so there are no latest values: %s"
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

  /// Checks that these are the values of all records, in any order, without those that were
  /// retracted.
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

  /// Checks that these are the values of all records with a key, in order, without those that were
  /// retracted.
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

  /// Checks the last value of a key.
  public TestOutput<K, V> hasLatest(K key, V expected) {
    List<TestRecord<K, V>> records = records();
    Map<K, V> latest = latest(records);
    V found = latest.get(key);
    if (!expected.equals(found)) {
      List<TestRecord<K, V>> ofKey = withKey(key, records);
      throw job.failed(
          "Topic '%s' has another last value of key %s.".formatted(topic, key),
          expected,
          found == null ? "none" : found,
          ofKey.isEmpty() ? List.of("its keys: " + latest.keySet()) : ofKey);
    }
    return this;
  }

  /// Checks that these are all keys and their last values.
  public TestOutput<K, V> hasLatest(Map<? extends K, ? extends V> expected) {
    List<TestRecord<K, V>> records = records();
    Map<K, V> found = latest(records);
    if (!found.equals(expected)) {
      throw job.failed(
          "Topic '%s' has other last values.".formatted(topic), expected, found, records);
    }
    return this;
  }

  /// Checks that a key has no value: it was never written, or was deleted or retracted.
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

  /// Checks that there are no records.
  public TestOutput<K, V> isEmpty() {
    List<TestRecord<K, V>> records = records();
    if (!records.isEmpty()) {
      throw job.failed(
          "Topic '%s' has records.".formatted(topic), "none", records.size() + " records", records);
    }
    return this;
  }
}
