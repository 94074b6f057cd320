package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// A cursor over entries of one layer in ascending order of their keys; starts before the first.
public abstract class SortedEntries {
  private final int rank;
  private final Bytes key = new Bytes();

  /// @param rank the layer, counted from the top: of equal keys the one with the least rank is
  ///   valid
  protected SortedEntries(int rank) {
    this.rank = rank;
  }

  final int rank() {
    return rank;
  }

  /// Returns the current key; valid until the next move.
  public final Bytes key() {
    return key;
  }

  /// Moves to the next entry.
  ///
  /// @return false if there is none
  protected abstract boolean next();

  /// Returns whether the current key was deleted.
  protected abstract boolean isDeleted();

  /// Returns the current value, valid until the next move; null if it is not kept encoded.
  public abstract @Nullable Bytes encoded();

  /// Releases the source of the entries.
  protected void close() {}
}
