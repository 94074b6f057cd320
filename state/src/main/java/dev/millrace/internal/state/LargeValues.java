package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;

/// Receives values that are near the limit of their store: from half of the limit, and again at
/// each further eighth of it, so at most a few times in the life of a task.
@FunctionalInterface
public interface LargeValues {
  /// Receives a value that was put.
  ///
  /// @param key as the store's serde wrote it; not to be kept
  /// @param bytes the value's size
  /// @param mostBytes the store's limit
  void large(String store, Bytes key, int bytes, int mostBytes);
}
