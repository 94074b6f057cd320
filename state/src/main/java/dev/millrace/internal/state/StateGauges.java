package dev.millrace.internal.state;

import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.Layers;

/// What the state of a task takes and has done, in numbers.
public final class StateGauges {
  private final ObjectCache cache;
  private final Layers layers;
  private final StateRestore restoring;
  private long flushes;

  StateGauges(StoreContext context, StateRestore restoring) {
    cache = context.cache();
    layers = context.layers();
    this.restoring = restoring;
  }

  /// Returns the estimated memory of live and frozen objects, a part of [#cachedBytes].
  public long liveBytes() {
    return cache.dirtyBytes() + cache.frozenBytes();
  }

  /// Returns the memory of pending entries.
  public long pendingBytes() {
    return layers.pending().bytes();
  }

  /// Returns the memory of committed entries.
  public long committedBytes() {
    return layers.committedBytes() + restoring.bytes();
  }

  /// Returns the estimated memory of all decoded objects with their keys.
  public long cachedBytes() {
    return cache.bytes();
  }

  /// Returns what all of this takes.
  public StateMemory memory() {
    return new StateMemory(
        cachedBytes(),
        liveBytes(),
        layers.saved().allocatedBytes() + layers.pending().allocatedBytes(),
        layers.committedAllocatedBytes() + restoring.allocatedBytes());
  }

  /// Returns how many keys have an entry in the cache.
  public int cachedEntries() {
    return cache.count();
  }

  /// Returns how often a key that was read was in the cache.
  public long cacheHits() {
    return cache.hits();
  }

  /// Returns how often a key that was read was not in the cache.
  public long cacheMisses() {
    return cache.misses();
  }

  /// Returns how many entries were dropped from the cache for want of room.
  public long evictions() {
    return cache.evictions();
  }

  /// Returns how many keys were looked up on disk.
  public long diskReads() {
    return layers.diskReads();
  }

  /// Counts a run that was written to the disk.
  void flushed() {
    flushes++;
  }

  /// Returns how many runs were written to the disk.
  public long flushes() {
    return flushes;
  }
}
