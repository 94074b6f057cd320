package dev.millrace.api;

import dev.millrace.api.serde.Bytes;
import java.util.Optional;

/// One or several topics to write, whose values have a type and whose keys stay bytes. Any stream
/// can be written to them.
///
/// Of several topics, a route says of each record which one it goes to.
public final class KafkaSink<V> extends TopicSink<Object, Bytes, V, KafkaSink<V>> {

  KafkaSink(SinkSpec<Bytes, V> spec) {
    super(spec);
  }

  @Override
  KafkaSink<V> with(SinkSpec<Bytes, V> newSpec) {
    return new KafkaSink<>(newSpec);
  }

  /// Takes values that may be empty, and writes an empty one as a record without a value, which
  /// deletes its key and needs one.
  ///
  /// ```java
  /// Kafka.sink("copies").bytes().withDeletions()
  /// ```
  public KafkaSink<Optional<V>> withDeletions() {
    return new KafkaSink<>(spec().withDeletions());
  }
}
