package dev.millrace.api.connector;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// A source of records with a key, partitioned by it. [Source] says what holds of every source.
///
/// @param <K> the keys
/// @param <V> the values
public interface KeyedSource<K, V> extends Source<V> {
  @Override
  Serde<K> keySerde();

  @Override
  KeyedSource<K, V> asBounded();

  @Override
  default @Nullable LogTopics<? extends KeyedSource<K, V>> topics() {
    return null;
  }
}
