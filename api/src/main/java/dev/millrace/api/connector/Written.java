package dev.millrace.api.connector;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.HeaderFunction;
import dev.millrace.api.function.Mapper;
import org.jspecify.annotations.Nullable;

/// What an application says of the records that a topic gets, besides their values.
///
/// @param key gives the key; null if it is the record's
/// @param headers sets the headers; null if they are those that the record came with
/// @param timestamp gives the timestamp; null if it is the event time
public record Written<K, V>(
    @Nullable Mapper<? super V, ? extends K> key,
    @Nullable HeaderFunction<K, V> headers,
    @Nullable EventTime<V> timestamp) {

  /// Returns what says nothing.
  public static <K, V> Written<K, V> nothing() {
    return new Written<>(null, null, null);
  }
}
