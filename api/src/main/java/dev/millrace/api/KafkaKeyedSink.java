package dev.millrace.api;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import java.util.Optional;

/// One or several topics to write, whose keys and values have a type; partitioned by the key.
///
/// Of several topics, a route says of each record which one it goes to.
public final class KafkaKeyedSink<K, V> extends TopicSink<K, K, V, KafkaKeyedSink<K, V>> {
  private final Serde<K> given;
  private final Serde<K> keySerde;

  /// @param given for whichever topic
  KafkaKeyedSink(SinkSpec<K, V> spec, Serde<K> given) {
    super(spec);
    this.given = given;
    keySerde = given.forTopic(stream(), true);
  }

  @Override
  KafkaKeyedSink<K, V> with(SinkSpec<K, V> newSpec) {
    return new KafkaKeyedSink<>(newSpec, given);
  }

  /// Takes values that may be empty, and writes an empty one as a record without a value, which
  /// deletes its key.
  ///
  /// ```java
  /// Kafka.sink("known").key(Serdes.string()).value(Serdes.string()).withDeletions()
  /// ```
  public KafkaKeyedSink<K, Optional<V>> withDeletions() {
    return new KafkaKeyedSink<>(spec().withDeletions(), given);
  }

  /// Returns a sink that writes each record under a key that is taken from its value, whatever key
  /// it has, so any stream can be written to it. Say it last: what is set before, such as headers,
  /// is set for the key that is written.
  ///
  /// ```java
  /// orders.to(
  ///     Kafka.sink("orders-by-country")
  ///         .key(Serdes.string())
  ///         .value(json(Order.class))
  ///         .key(Order::country))
  /// ```
  ///
  /// There is no exchange: records of a key that several tasks write are in any order, those of one
  /// task in theirs. Results that are corrected are refused, because one task would delete what
  /// another one has written, unless the topic is written [with retractions][#withRetractions];
  /// `groupBy(name, key).stream()` brings the records of a key together, and in order, before they
  /// are written.
  ///
  /// @param key a pure function; null is bad input
  public Sink<Object, V> key(Mapper<? super V, ? extends K> key) {
    return new RekeyedSink<>(spec().withKey(key), given);
  }

  @Override
  public Serde<K> keySerde() {
    return keySerde;
  }
}
