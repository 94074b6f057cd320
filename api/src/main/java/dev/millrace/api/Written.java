package dev.millrace.api;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Mapper;
import java.util.Optional;
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

  /// Nothing is said.
  public static <K, V> Written<K, V> nothing() {
    return new Written<>(null, null, null);
  }

  Written<K, V> withKey(Mapper<? super V, ? extends K> newKey) {
    return new Written<>(newKey, headers, timestamp);
  }

  Written<K, V> withHeaders(HeaderFunction<K, V> newHeaders) {
    return new Written<>(key, newHeaders, timestamp);
  }

  Written<K, V> withTimestamp(EventTime<V> newTimestamp) {
    return new Written<>(key, headers, newTimestamp);
  }

  /// Returns the same of values that may be lacking: what was said concerns those that are there.
  Written<K, Optional<V>> ofPresent() {
    HeaderFunction<K, V> ofHeaders = headers;
    EventTime<V> ofTimestamp = timestamp;
    return new Written<>(
        null,
        ofHeaders == null
            ? null
            : (record, to) -> {
              if (record.value().isPresent()) {
                ofHeaders.set(new PresentRecord<>(record), to);
              }
            },
        ofTimestamp == null ? null : value -> ofTimestamp.of(value.orElseThrow()));
  }
}
