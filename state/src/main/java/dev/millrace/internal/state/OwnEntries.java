package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;

/// Which of the entries of a task's stores are its own. A task that was split still holds entries
/// of the other part for a while.
@FunctionalInterface
public interface OwnEntries {
  /// Returns whether an entry is the task's own.
  ///
  /// @param key with the number of the store, as in the changelog
  boolean has(Bytes key);
}
