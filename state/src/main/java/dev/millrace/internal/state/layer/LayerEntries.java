package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// Some entries of a [Layer] in the order of their keys.
final class LayerEntries extends SortedEntries {
  private final Layer layer;
  private final int[] entries;
  private final int end;
  private final Bytes value = new Bytes();
  private int at;

  /// @param entries their numbers, in order
  LayerEntries(int rank, Layer layer, int[] entries, int start, int end) {
    super(rank);
    this.layer = layer;
    this.entries = entries;
    this.end = end;
    at = start - 1;
  }

  @Override
  protected boolean next() {
    if (++at >= end) {
      return false;
    }
    layer.key(entries[at], key());
    return true;
  }

  @Override
  protected boolean isDeleted() {
    return layer.isDeleted(entries[at]);
  }

  @Override
  public @Nullable Bytes encoded() {
    return layer.value(entries[at], value);
  }
}
