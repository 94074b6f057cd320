package dev.millrace.api;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// Where records go: a description, not a connection. [Kafka#sink] makes one.
///
/// Where results are corrected, a topic gets the new one in the place of the old one, and the key
/// without a value if nothing takes its place; without keys there is nothing to write then. A sink
/// outside the log gets every new result and is told nothing of what was taken back, so a result
/// that is withdrawn without a successor, as of a place in a ranking or a join without a partner,
/// stays there.
public interface Sink<V> {

  /// The name of the stream: the topic.
  String stream();

  Serde<V> valueSerde();

  /// Whether retractions are written as well; see [KafkaSink#withRetractions].
  default boolean retractions() {
    return false;
  }

  /// Which timestamps records get in a topic.
  default Timestamps timestamps() {
    return Timestamps.EVENT_TIME;
  }

  /// Returns the topic of the log that it writes; null if it writes several, or something else.
  default @Nullable TopicSettings topic() {
    return null;
  }

  /// Returns the topics of the log that it writes; null if it writes one, or something else.
  default @Nullable LogTopics<? extends Sink<V>> topics() {
    return null;
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
