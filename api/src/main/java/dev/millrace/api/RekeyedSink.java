package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// One or several topics to write, whose keys are taken from the values.
final class RekeyedSink<K, V> extends TopicSink<Object, K, V, RekeyedSink<K, V>> {
  private final Serde<K> given;
  private final Serde<K> keySerde;

  /// @param given for whichever topic
  RekeyedSink(SinkSpec<K, V> spec, Serde<K> given) {
    super(spec);
    this.given = given;
    keySerde = given.forTopic(stream(), true);
  }

  @Override
  RekeyedSink<K, V> with(SinkSpec<K, V> newSpec) {
    return new RekeyedSink<>(newSpec, given);
  }

  @Override
  public Serde<K> keySerde() {
    return keySerde;
  }
}
