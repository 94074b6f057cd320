package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;

/// Is told of values that come near the limit of their store: from half of it on, and again
/// whenever another eighth of the limit is reached, so a few times in the life of a task at most.
@FunctionalInterface
public interface LargeValues {
  /// A value was put.
  ///
  /// @param key as the store's serde wrote it; not to be kept
  /// @param bytes the value's size
  /// @param mostBytes the store's limit
  void large(String store, Bytes key, int bytes, int mostBytes);
}
