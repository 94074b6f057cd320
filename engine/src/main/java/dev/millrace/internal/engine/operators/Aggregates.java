package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// A store of aggregates, each changed with one search.
public interface Aggregates {

  /// What is kept under a key; null if there is nothing.
  ///
  /// @param key of the rows
  @Nullable Object find(Bytes key);

  /// Keeps another object under the key of the last [#find], behind which no store of the task was
  /// asked for anything.
  void replace(Object aggregate);
}
