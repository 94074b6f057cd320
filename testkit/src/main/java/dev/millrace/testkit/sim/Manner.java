package dev.millrace.testkit.sim;

import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What becomes of items on their way into a topic.
///
/// @param weighed whether they get a number that follows from what is known of their records
/// @param headers whether their records get a header that says the same
/// @param timestamps whether their records' timestamps are taken from them
/// @param ownKeys whether their records' keys are taken from them
record Manner(boolean weighed, boolean headers, boolean timestamps, boolean ownKeys) {
  static final String HEADER = "of";
  private static final int LATER_MILLIS = 1_000;

  /// Draws one.
  ///
  /// @param traits of what is written
  static Manner drawn(Seed seed, Traits traits) {
    boolean weighed = seed.chance(0.3);
    boolean headers = seed.chance(0.4);
    boolean timestamps = seed.chance(0.3);
    boolean ownKeys = seed.chance(0.3);
    return new Manner(
        weighed && traits.determined(),
        headers,
        timestamps,
        ownKeys && traits.determined() && !traits.table());
  }

  /// What is known of what is written, if that is known of what came.
  Traits traits(Traits of) {
    return ownKeys ? of.underOwnKeys() : of;
  }

  /// What an item is written as.
  ///
  /// @param timed whether the time of its record is determined
  static Item weighed(@Nullable String key, long timestamp, Item item, boolean timed) {
    long weight =
        (key == null ? 50 : key.length()) * 100L + (timed ? Math.floorMod(timestamp, 97) : 0);
    return item.withNumber(item.number() + weight);
  }

  /// What the header of a record says.
  ///
  /// @param timed whether its time is determined
  static String header(@Nullable String key, long timestamp, Item item, boolean timed) {
    return (timed ? timestamp : "") + " " + item.number() + " " + key;
  }

  private static void set(
      @Nullable String key, Record<?, Item> record, RecordHeaders headers, boolean timed) {
    if (!headers.isEmpty()) {
      throw new AssertionError("Headers that were never set: " + headers.all());
    }
    String said = header(key, record.timestamp(), record.value(), timed);
    headers.add(HEADER, said.getBytes(StandardCharsets.UTF_8));
  }

  /// The timestamp of an item's record.
  long timestamp(Item item) {
    return timestamps ? item.at() + LATER_MILLIS : item.at();
  }

  /// Returns a sink of records with keys, which are taken from values if those are to be.
  ///
  /// @param timed whether the times of records are determined
  Sink<? super String, Item> apply(KafkaKeyedSink<String, Item> sink, boolean timed) {
    KafkaKeyedSink<String, Item> result = set(sink, timed);
    return ownKeys ? result.key(Item::key) : result;
  }

  /// Returns a sink of any records, under keys that are taken from values.
  Sink<Object, Item> byOwnKey(KafkaKeyedSink<String, Item> sink, boolean timed) {
    return set(sink, timed).key(Item::key);
  }

  private KafkaKeyedSink<String, Item> set(KafkaKeyedSink<String, Item> sink, boolean timed) {
    KafkaKeyedSink<String, Item> result = sink;
    if (headers) {
      result = result.headers((record, to) -> set(record.key(), record, to, timed));
    }
    return timestamps ? result.timestamp(item -> Instant.ofEpochMilli(timestamp(item))) : result;
  }

  /// The same without keys.
  KafkaSink<Item> apply(KafkaSink<Item> sink, boolean timed) {
    KafkaSink<Item> result = sink;
    if (headers) {
      result = result.headers((record, to) -> set(null, record, to, timed));
    }
    return timestamps ? result.timestamp(item -> Instant.ofEpochMilli(timestamp(item))) : result;
  }
}
