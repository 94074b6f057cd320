package dev.millrace.api.function;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// All that is known of a record. Valid until the operator it was given to returns.
@SuppressWarnings("AvoidCommonTypeNames") // an explicit import wins over java.lang.Record
public interface Record<K, V> {

  /// Returns the key, or null if the record has none. Where it stays bytes, a copy of them.
  @Nullable K key();

  /// Returns the value.
  V value();

  /// Returns the event time, in milliseconds since 1970 (UTC).
  long timestamp();

  /// Returns whether this retracts an earlier record with the same key, value and timestamp: a
  /// result upstream was corrected, and what replaces it follows. Never true after sources alone;
  /// see [WindowedTable].
  boolean isRetraction();

  /// Returns the value of the last header of that name, or null if there is none or it has no
  /// value.
  byte @Nullable [] header(String name);

  /// Returns the names of all headers in order.
  java.util.List<String> headerNames();

  /// Returns a copy of the headers as bytes, in the encoding of a Kafka record; empty if there are
  /// none.
  Bytes headers();

  /// Returns the stream that it was read from: a topic, or an exchange after a grouping.
  String topic();

  /// Returns the partition that it was read from.
  int partition();

  /// Returns its offset in the partition; after an exchange through memory, a number without
  /// meaning.
  long offset();
}
