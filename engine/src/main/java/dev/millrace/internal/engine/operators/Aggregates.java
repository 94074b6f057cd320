package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// A store of aggregates, each changed with one search.
public interface Aggregates {

  /// Returns what is kept under a key; null if there is nothing.
  ///
  /// @param key of the rows
  @Nullable Object find(Bytes key);

  /// Keeps another object under a key. If it is the key of the last [#find], nothing is searched
  /// for.
  ///
  /// @param key of the rows
  void replace(Bytes key, Object aggregate);
}
