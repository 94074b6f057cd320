package dev.millrace.api;

import dev.millrace.api.connector.KeyedSource;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.util.Optional;

/// One or several topics to read, whose keys and values have a type; partitioned by the key.
///
/// ```java
/// Kafka.source("orders")
///     .key(Serdes.string())
///     .value(json(Order.class))
///     .eventTime(Order::at, Duration.ofMinutes(1))
///     .maxAhead(Duration.ofHours(1))
/// ```
///
/// The records of several topics are read together: task p reads partition p of each, all have as
/// many partitions, and every topic has its own event time. [Record#topic] tells which topic a
/// record is of.
public final class KafkaKeyedSource<K, V> extends TopicSource<V, KafkaKeyedSource<K, V>>
    implements KeyedSource<K, V> {
  private final Serde<K> given;
  private final Serde<K> keySerde;

  /// @param given for whichever topic
  KafkaKeyedSource(SourceSpec<V> spec, Serde<K> given) {
    super(spec);
    this.given = given;
    keySerde = given.forTopic(stream(), true);
  }

  @Override
  KafkaKeyedSource<K, V> with(SourceSpec<V> newSpec) {
    return new KafkaKeyedSource<>(newSpec, given);
  }

  /// Also reads the records that have no value, which delete their keys: each is an empty value,
  /// and its own timestamp is its event time. Unless this is said, such a record is bad input.
  ///
  /// ```java
  /// topology
  ///     .from(Kafka.source("addresses").key(Serdes.string()).value(Serdes.string()).withDeletions())
  ///     .filter(Optional::isEmpty)
  /// ```
  public KafkaKeyedSource<K, Optional<V>> withDeletions() {
    return new KafkaKeyedSource<>(spec().withDeletions(), given);
  }

  @Override
  public Serde<K> keySerde() {
    return keySerde;
  }
}
