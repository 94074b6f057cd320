package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.cache.CacheBudget;
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
/// @param owned which entries are the task's own
record StoreContext(
    String task,
    CurrentLimits current,
    ObjectCache cache,
    Layers layers,
    ValueBuffer buffer,
    StoreClock clock,
    MutationCheck mutations,
    CommitEncoder commits,
    Own owned) {

  /// The limits that apply now.
  static final class CurrentLimits {
    private final CacheBudget cache;
    private StateLimits limits;

    private CurrentLimits(StateLimits limits) {
      this.limits = limits;
      cache = new CacheBudget(limits.cacheBytes());
    }
  }

  /// Which entries are the task's own.
  static final class Own {
    private OwnEntries entries = _ -> true;

    private Own() {}
  }

  static StoreContext of(String task, Disk disk, StateLimits limits) {
    CurrentLimits current = new CurrentLimits(limits);
    ObjectCache cache = new ObjectCache(current.cache);
    Layers layers = new Layers(task, disk);
    MutationCheck mutations = new MutationCheck();
    return new StoreContext(
        task,
        current,
        cache,
        layers,
        new ValueBuffer(),
        new StoreClock(),
        mutations,
        new CommitEncoder(cache, layers, mutations),
        new Own());
  }

  /// Returns whether an entry is the task's own.
  boolean isOwn(Bytes key) {
    return owned.entries.has(key);
  }

  void own(OwnEntries own) {
    owned.entries = own;
  }

  StateLimits limits() {
    return current.limits;
  }

  /// Sets other shares of memory, for a task that shares its process with more or fewer tasks than
  /// before; the limits of keys and values stay.
  ///
  /// Clean objects beyond a smaller share are dropped at once, in time proportional to their
  /// number. The rest is what [TaskState#wantsCommit], [TaskState#wantsFlush] and
  /// [TaskState#needsFlush] tell of, so the state is within its share once the next commit is
  /// acknowledged and flushed. That commit is not collected in steps if arrays of the cache have to
  /// be given back.
  void share(StateLimits shares) {
    layers.requireNoVisitor("share memory anew");
    current.limits = current.limits.withSharesOf(shares);
    current.cache.change(shares.cacheBytes());
    evict();
  }

  /// Drops clean objects until the cache is within its share; and all objects, if its arrays are to
  /// be given back and no object is live or frozen.
  void evict() {
    cache.evict();
    if (cache.isOversized() && cache.dirtyCount() == 0 && cache.frozenBytes() == 0) {
      cache.clear();
    }
  }

  /// Returns whether the value of a key on disk is its newest: nothing above the disk has an entry
  /// of it, but for a copy in the cache.
  boolean isOnDiskOnly(int hash, Bytes key) {
    int cached = cache.find(hash, key);
    return (cached == ByteTable.NONE || cache.isClean(cached)) && layers.isOnDiskOnly(hash, key);
  }
}
