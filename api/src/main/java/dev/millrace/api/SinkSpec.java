package dev.millrace.api;

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

  SinkSpec<K, V> with(Written<K, V> newWritten) {
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
        topic, new WithDeletions<>(valueSerde), written.ofPresent(), retractions, timestamps);
  }

  /// The same of one of several topics.
  SinkSpec<K, V> one(String name) {
    return new SinkSpec<>(topic.one(name), valueSerde, written, retractions, timestamps);
  }
}
