package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.cache.MutationCheck;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Disk;

/// The context that the stores of one task share.
///
/// @param task its name, for messages
/// @param current limits, of which the shares of memory change when tasks come and go
/// @param buffer where values are encoded, one at a time
/// @param commits encodes what a commit has frozen before it is changed
record StoreContext(
    String task,
    CurrentLimits current,
    ObjectCache cache,
    Layers layers,
    ValueBuffer buffer,
    StoreClock clock,
    MutationCheck mutations,
    CommitEncoder commits) {

  /// The limits that apply now.
  static final class CurrentLimits {
    private StateLimits limits;

    private CurrentLimits(StateLimits limits) {
      this.limits = limits;
    }
  }

  StateLimits limits() {
    return current.limits;
  }

  /// Sets other shares of memory; the limits of keys and values stay.
  void share(StateLimits shares) {
    current.limits = current.limits.withSharesOf(shares);
    cache.budget(shares.cacheBytes());
    shrink();
  }

  /// Drops all objects if the cache is oversized and none of them is live or frozen, so that it
  /// gives its memory back.
  void shrink() {
    if (cache.isOversized() && cache.dirtyCount() == 0 && cache.frozenBytes() == 0) {
      cache.clear();
    }
  }

  static StoreContext of(String task, Disk disk, StateLimits limits) {
    ObjectCache cache = new ObjectCache(limits.cacheBytes());
    Layers layers = new Layers(task, disk);
    MutationCheck mutations = new MutationCheck();
    return new StoreContext(
        task,
        new CurrentLimits(limits),
        cache,
        layers,
        new ValueBuffer(),
        new StoreClock(),
        mutations,
        new CommitEncoder(cache, layers, mutations));
  }

  /// Returns whether the value of a key on disk is its newest: nothing above the disk has an entry
  /// of it, but for a copy in the cache.
  boolean isOnDiskOnly(int hash, Bytes key) {
    int cached = cache.find(hash, key);
    return (cached == ByteTable.NONE || cache.isClean(cached)) && layers.isOnDiskOnly(hash, key);
  }
}
