package dev.millrace.api.function;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// All that is known of a record. Valid until the operator it was given to returns.
@SuppressWarnings("AvoidCommonTypeNames") // an explicit import wins over java.lang.Record
public interface Record<K, V> {

  /// The key, or null if the record has none. Where it stays bytes, a copy of them.
  @Nullable K key();

  V value();

  /// The event time, in milliseconds since 1970 (UTC).
  long timestamp();

  /// Whether this takes back a record that came before, with the same key, value and timestamp: a
  /// result upstream was corrected, and what takes its place follows. Never true behind sources
  /// alone; see [dev.millrace.api.WindowedTable].
  boolean isRetraction();

  /// The value of the last header of that name, or null if there is none or it has no value.
  byte @Nullable [] header(String name);

  /// The names of all headers in order.
  java.util.List<String> headerNames();

  /// The headers as bytes, in the encoding of a Kafka record; empty if there are none. A copy.
  Bytes headers();

  /// The stream it was read from: a topic, or an exchange behind a grouping.
  String topic();

  int partition();

  /// Behind an exchange that goes through memory, a number that says nothing.
  long offset();
}
