package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// Where records go: a description, not a connection. [Kafka#topic] makes one.
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

  /// Whether what is taken back is written as well; see [KafkaStream#withRetractions].
  default boolean retractions() {
    return false;
  }

  /// Which timestamps records get in a topic.
  default Timestamps timestamps() {
    return Timestamps.EVENT_TIME;
  }
}
