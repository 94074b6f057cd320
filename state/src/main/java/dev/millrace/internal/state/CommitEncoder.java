package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layer;

/// Encodes what a commit has frozen: in turn, and before that whatever is about to change; and what
/// is live, at a mark, to which it goes back.
final class CommitEncoder {
  private final Workbench bench;
  private final Bytes key = new Bytes();

  CommitEncoder(Workbench bench) {
    this.bench = bench;
  }

  /// Encodes an entry of a store if it is frozen: what is put now is of the next commit. To be
  /// called before the value at work is encoded, for there is one writer.
  void beforeChange(CachedStore<?, ?> store, int entry) {
    if (entry != ByteTable.NONE && bench.cache.isFrozen(entry)) {
      encode(store, entry, bench.cache.key(entry, key));
    }
  }

  /// Makes a frozen entry of a store pending.
  ///
  /// @param at the entry's key, with the store's number
  /// @throws RefusedAtCommitException if its value cannot go into the changelog; nothing has
  ///   changed then
  void encode(CachedStore<?, ?> store, int entry, Bytes at) {
    ObjectCache cache = bench.cache;
    Layer pending = bench.layers.pending();
    if (!cache.isThere(entry)) {
      pending.delete(cache.hash(entry), at, store.ordered());
    } else {
      int length = encodeValue(store, entry, at);
      cache.measured(entry, length);
      byte[] encoded = bench.valueWriter.array();
      pending.set(pending.add(cache.hash(entry), at, store.ordered()), encoded, 0, length);
      int start = store.valueStart();
      assert bench.mutations.note(entry, ByteTable.hash(encoded, start, length - start));
    }
    cache.thaw(entry);
  }

  /// Makes all that is live part of what an undo goes back to.
  ///
  /// @throws RefusedAtCommitException if a value cannot go into the changelog
  void save(StoreTable stores) {
    ObjectCache cache = bench.cache;
    Layer saved = bench.layers.saved();
    for (int i = 0, count = cache.dirtyCount(); i < count; i++) {
      int entry = cache.dirty(i);
      CachedStore<?, ?> store = stores.of(cache.key(entry, key));
      if (!cache.isThere(entry)) {
        saved.delete(cache.hash(entry), key, store.ordered());
      } else {
        int length = encodeValue(store, entry, key);
        cache.measured(entry, length);
        byte[] encoded = bench.valueWriter.array();
        saved.put(cache.hash(entry), key, store.ordered(), encoded, 0, length);
        int start = store.valueStart();
        assert bench.mutations.note(entry, ByteTable.hash(encoded, start, length - start));
      }
    }
    cache.clean();
    cache.evict();
  }

  /// Takes back what became live since [#save].
  ///
  /// @return false if that is not possible, for a value cannot be decoded that nobody has asked for
  boolean revert(StoreTable stores) {
    ObjectCache cache = bench.cache;
    try {
      for (int i = 0, count = cache.dirtyCount(); i < count; i++) {
        int entry = cache.dirty(i);
        stores.of(cache.key(entry, key)).revert(entry, key);
      }
    } catch (SerdeException _) {
      return false;
    }
    cache.clean();
    cache.evict();
    return true;
  }

  /// Makes what was saved pending, before the cache is frozen; what was put since is newer.
  void freezeSaved(StoreTable stores) {
    Layer saved = bench.layers.saved();
    Layer pending = bench.layers.pending();
    Bytes value = new Bytes();
    for (int i = 0, count = saved.count(); i < count; i++) {
      saved.key(i, key);
      int hash = saved.hash(i);
      int live = bench.cache.find(hash, key);
      if (live == ByteTable.NONE || !bench.cache.isDirty(live)) {
        int entry = pending.add(hash, key, stores.of(key).ordered());
        if (saved.value(i, value) != null) {
          pending.set(entry, value.array(), value.offset(), value.length());
        }
      }
    }
    saved.clear();
  }

  private static int encodeValue(CachedStore<?, ?> store, int entry, Bytes at) {
    try {
      return store.encodeLive(entry, at);
    } catch (SerdeException | EntryTooLargeException e) {
      throw new RefusedAtCommitException(e);
    }
  }
}
