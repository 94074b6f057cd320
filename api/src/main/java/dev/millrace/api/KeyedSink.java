package dev.millrace.api;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// A sink of records with a key, which decides the partition.
public interface KeyedSink<K, V> extends Sink<V> {
  Serde<K> keySerde();

  @Override
  default @Nullable LogTopics<? extends KeyedSink<K, V>> topics() {
    return null;
  }
}
