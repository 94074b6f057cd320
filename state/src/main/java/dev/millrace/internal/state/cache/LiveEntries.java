package dev.millrace.internal.state.cache;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.SortedEntries;
import org.jspecify.annotations.Nullable;

/// Live entries of an [ObjectCache] in the order of their keys: above all layers.
public final class LiveEntries extends SortedEntries {
  private final ObjectCache cache;
  private final int[] entries;
  private final int end;
  private int at;

  /// @param entries their numbers, in order
  LiveEntries(ObjectCache cache, int[] entries, int start, int end) {
    super(0);
    this.cache = cache;
    this.entries = entries;
    this.end = end;
    at = start - 1;
  }

  @Override
  protected boolean next() {
    if (++at >= end) {
      return false;
    }
    cache.key(entries[at], key());
    return true;
  }

  @Override
  protected boolean isDeleted() {
    return !cache.isThere(entries[at]);
  }

  @Override
  public @Nullable Bytes encoded() {
    return null;
  }

  /// Returns the number of the current entry in the cache.
  public int entry() {
    return entries[at];
  }
}
