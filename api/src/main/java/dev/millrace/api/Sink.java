package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// Where records go: a description, not a connection. [Kafka#topic] makes one.
public interface Sink<V> {

  /// The name of the stream: the topic.
  String stream();

  Serde<V> valueSerde();

  /// Whether what is taken back is written as well; see [KafkaStream#withRetractions].
  default boolean retractions() {
    return false;
  }
}
