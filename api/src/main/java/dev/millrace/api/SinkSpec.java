package dev.millrace.api;

import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.api.connector.Written;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.HeaderFunction;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import java.util.Optional;

/// What an application says of a topic that it writes, but for its keys.
///
/// @param valueSerde as it was given, for whichever topic
/// @param written what is said of the records besides their values
/// @param retractions whether retractions are written
record SinkSpec<K, V>(
    TopicSettings topic,
    Serde<V> valueSerde,
    Written<K, V> written,
    boolean retractions,
    Timestamps timestamps) {

  static <K, V> SinkSpec<K, V> of(TopicSettings topic, Serde<V> valueSerde) {
    return new SinkSpec<>(topic, valueSerde, Written.nothing(), false, Timestamps.EVENT_TIME);
  }

  SinkSpec<K, V> withKey(Mapper<? super V, ? extends K> key) {
    return with(new Written<>(key, written.headers(), written.timestamp()));
  }

  SinkSpec<K, V> withHeaders(HeaderFunction<K, V> headers) {
    return with(new Written<>(written.key(), headers, written.timestamp()));
  }

  SinkSpec<K, V> withTimestamp(EventTime<V> timestamp) {
    return with(new Written<>(written.key(), written.headers(), timestamp));
  }

  private SinkSpec<K, V> with(Written<K, V> newWritten) {
    return new SinkSpec<>(topic, valueSerde, newWritten, retractions, timestamps);
  }

  SinkSpec<K, V> withRetractions() {
    return new SinkSpec<>(topic, valueSerde, written, true, timestamps);
  }

  SinkSpec<K, V> with(Timestamps newTimestamps) {
    return new SinkSpec<>(topic, valueSerde, written, retractions, newTimestamps);
  }

  SinkSpec<K, Optional<V>> withDeletions() {
    return new SinkSpec<>(
        topic, new WithDeletions<>(valueSerde), ofPresent(), retractions, timestamps);
  }

  /// Returns what is said of values that may be lacking: what was said of those that are there. A
  /// function for keys is said last, so none was said.
  private Written<K, Optional<V>> ofPresent() {
    HeaderFunction<K, V> ofHeaders = written.headers();
    EventTime<V> ofTimestamp = written.timestamp();
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

  /// The same of one of several topics.
  SinkSpec<K, V> one(String name) {
    return new SinkSpec<>(topic.one(name), valueSerde, written, retractions, timestamps);
  }
}
