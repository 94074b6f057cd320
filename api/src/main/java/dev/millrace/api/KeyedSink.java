package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// A sink of records with a key, which decides the partition.
public interface KeyedSink<K, V> extends Sink<V> {
  Serde<K> keySerde();
}
