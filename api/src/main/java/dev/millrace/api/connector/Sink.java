package dev.millrace.api.connector;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// Where records go: a description, not a connection. `Kafka.sink` returns one.
///
/// Where results are corrected, a topic gets the new result in place of the old one, and the key
/// without a value if nothing takes its place; without keys there is nothing to write then. A sink
/// outside the log gets every new result and is not told of retractions, so a result that is
/// retracted without a successor, as of a place in a ranking or a join without a partner, stays
/// there.
///
/// @param <K> the keys of the streams that it takes: [Object] where key bytes are written unchanged
///   or keys are taken from values, so that any stream fits
/// @param <V> the values
public interface Sink<K, V> {

  /// Returns the name of the stream: the topic.
  String stream();

  /// Returns the serde of the keys that are written; null where the key's bytes are written
  /// unchanged. The keys are those of the records, or those that [Written#key] takes from values.
  default @Nullable Serde<?> keySerde() {
    return null;
  }

  /// Returns the serde of the values.
  Serde<V> valueSerde();

  /// Returns whether retractions are written as well; see `KafkaSink.withRetractions`.
  default boolean retractions() {
    return false;
  }

  /// Returns which timestamps records get in a topic.
  default Timestamps timestamps() {
    return Timestamps.EVENT_TIME;
  }

  /// Returns the topic of the log that it writes; null if it writes several, or something else.
  default @Nullable TopicSettings topic() {
    return null;
  }

  /// Returns the topics of the log that it writes; null if it writes one, or something else.
  default @Nullable LogTopics<? extends Sink<K, V>> topics() {
    return null;
  }

  /// Returns whether it writes something else than topics of the log. A connector opens it then, as
  /// `dev.millrace.spi.ExternalSink` says.
  default boolean isExternal() {
    return topic() == null && topics() == null;
  }

  /// Returns the value that is written as a record without one; null if none is.
  default @Nullable Object deletion() {
    return null;
  }

  /// Returns what the application says of the records besides their values.
  default Written<?, V> written() {
    return Written.nothing();
  }
}
