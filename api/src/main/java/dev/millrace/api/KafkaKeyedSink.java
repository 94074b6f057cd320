package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import java.util.Optional;

/// One or several topics to write, whose keys and values have a type; partitioned by the key.
///
/// Of several topics, a route says of each record which one it goes to.
public final class KafkaKeyedSink<K, V> extends TopicSink<K, V, KafkaKeyedSink<K, V>>
    implements KeyedSink<K, V> {
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
  public KafkaKeyedSink<K, Optional<V>> withDeletions() {
    return new KafkaKeyedSink<>(spec().withDeletions(), given);
  }

  /// Writes each record under a key that is taken from its value, whatever key it has. A stream
  /// without keys can be written to this topic then, without an exchange: records of a key that
  /// several tasks make are written in any order, those of one task in theirs. Results that are
  /// corrected are refused, because one task would delete what another one has written, unless the
  /// topic is written [with retractions][#withRetractions]; `groupBy(name, key).stream()` brings
  /// the records of a key together, and in order, before they are written.
  ///
  /// @param key a pure function; null is bad input
  public KafkaKeyedSink<K, V> key(Mapper<? super V, ? extends K> key) {
    return with(spec().with(spec().written().withKey(key)));
  }

  @Override
  public Serde<K> keySerde() {
    return keySerde;
  }
}
