package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// Looks at the changes of a commit as they go into the changelog.
@FunctionalInterface
public interface ChangeVisitor {
  /// Shows one changed entry. The views are valid only during the call.
  ///
  /// @param changelogKey the store's number in two bytes, big-endian, then the key
  /// @param value null if the key was deleted
  void change(Bytes changelogKey, @Nullable Bytes value);
}
