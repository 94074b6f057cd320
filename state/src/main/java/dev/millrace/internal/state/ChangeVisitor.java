package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// Receives the changes of a commit that are written to the changelog.
@FunctionalInterface
public interface ChangeVisitor {
  /// Receives one changed entry. The views are valid only during the call.
  ///
  /// @param changelogKey the store's number in two bytes, big-endian, then the key
  /// @param value null if the key was deleted
  void change(Bytes changelogKey, @Nullable Bytes value);
}
