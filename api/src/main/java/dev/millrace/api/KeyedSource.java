package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// A source of records with a key, partitioned by it.
public interface KeyedSource<K, V> extends Source<V> {
  Serde<K> keySerde();
}
