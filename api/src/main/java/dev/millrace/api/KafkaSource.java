package dev.millrace.api;

import dev.millrace.api.function.Record;
import java.util.Optional;

/// One or several topics to read, whose values have a type and whose keys stay bytes.
///
/// ```java
/// Kafka.source("clicks")
///     .value(json(Click.class))
///     .eventTime(Click::at, Duration.ofSeconds(10))
///     .refuseAhead(Duration.ofHours(1))
/// ```
///
/// The records of several topics are read together: task p reads partition p of each, and every
/// topic has its own event time. [Record#topic] tells which topic a record is of.
public final class KafkaSource<V> extends TopicSource<V, KafkaSource<V>> {

  KafkaSource(SourceSpec<V> spec) {
    super(spec);
  }

  @Override
  KafkaSource<V> with(SourceSpec<V> newSpec) {
    return new KafkaSource<>(newSpec);
  }

  /// Also reads the records that have no value, which delete their keys: each is an empty value,
  /// and its own timestamp is its event time. Unless this is said, such a record is bad input.
  ///
  /// ```java
  /// topology.from(Kafka.source("orders").bytes().withDeletions())
  /// ```
  public KafkaSource<Optional<V>> withDeletions() {
    return new KafkaSource<>(spec().withDeletions());
  }
}
