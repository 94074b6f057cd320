package dev.millrace.internal.state.cache;

import java.util.Arrays;

/// Collects the hashes of keys that a batch is about to search for in an [ObjectCache]; see
/// [ObjectCache#touch].
public final class CachePrefetch {
  private static final int LEAST = 16;

  /// The largest number of keys at a time, so that they stay in the processor's nearer caches until
  /// they are used.
  private static final int MOST = 4_096;

  private final ObjectCache cache;
  private int[] hashes = new int[LEAST];
  private int[] entries = new int[LEAST];
  private int count;

  public CachePrefetch(ObjectCache cache) {
    this.cache = cache;
  }

  public void add(int hash) {
    if (count == MOST) {
      return;
    }
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, count * 2);
      entries = new int[count * 2];
    }
    hashes[count++] = hash;
  }

  /// Prefetches all of them, and drops them.
  public void touch() {
    if (count > 0) {
      cache.touch(hashes, count, entries);
      count = 0;
    }
  }
}
