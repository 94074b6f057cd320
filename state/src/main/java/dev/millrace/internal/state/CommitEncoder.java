package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.cache.MutationCheck;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layer;
import dev.millrace.internal.state.layer.Layers;

/// Encodes entries that a commit has frozen: in order, or earlier if an entry is about to change;
/// and live entries, at a mark, to which it can return.
final class CommitEncoder {
  private final ObjectCache cache;
  private final Layers layers;
  private final MutationCheck mutations;
  private final Bytes key = new Bytes();

  CommitEncoder(ObjectCache cache, Layers layers, MutationCheck mutations) {
    this.cache = cache;
    this.layers = layers;
    this.mutations = mutations;
  }

  /// Encodes an entry of a store if it is frozen, because the new value belongs to the next commit.
  /// Must be called before the new value is encoded, because there is one buffer.
  void beforeChange(CachedStore<?, ?> store, int entry) {
    if (cache.isFrozen(entry)) {
      cache.key(entry, key);
      encode(store, entry);
    }
  }

  /// Makes the next frozen entries pending.
  ///
  /// @return whether nothing is frozen any more
  /// @throws RefusedAtCommitException if a value cannot go into the changelog
  boolean encodeFrozen(StoreTable stores, int atMost) {
    int entry = cache.nextFrozen();
    for (int i = 0; i < atMost && entry != ByteTable.NONE; i++) {
      encode(stores.of(cache.key(entry, key)), entry);
      entry = cache.nextFrozen();
    }
    return entry == ByteTable.NONE;
  }

  /// Makes a frozen entry, whose key was read, pending. If that fails, nothing has changed.
  private void encode(CachedStore<?, ?> store, int entry) {
    Layer pending = layers.pending();
    int hash = cache.hash(entry);
    if (!cache.isThere(entry)) {
      pending.delete(hash, key, store.ordered());
    } else {
      BytesWriter value = encodeValue(store, entry);
      pending.set(pending.add(hash, key, store.ordered()), value.array(), 0, value.length());
    }
    cache.thaw(entry);
  }

  /// Saves all live entries as the state to which an undo returns.
  ///
  /// @throws RefusedAtCommitException if a value cannot go into the changelog
  void save(StoreTable stores) {
    Layer saved = layers.saved();
    for (int i = 0, count = cache.dirtyCount(); i < count; i++) {
      int entry = cache.dirty(i);
      CachedStore<?, ?> store = stores.of(cache.key(entry, key));
      if (!cache.isThere(entry)) {
        saved.delete(cache.hash(entry), key, store.ordered());
      } else {
        BytesWriter value = encodeValue(store, entry);
        saved.put(cache.hash(entry), key, store.ordered(), value.array(), 0, value.length());
      }
    }
    cache.clean();
    cache.evict();
  }

  /// Drops the entries that became live since [#save].
  ///
  /// @return false if that is not possible because a value that was not read cannot be decoded
  boolean revert(StoreTable stores) {
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

  /// Makes the saved entries pending, before the cache is frozen. Values that were put since are
  /// newer.
  void freezeSaved(StoreTable stores) {
    Layer saved = layers.saved();
    Layer pending = layers.pending();
    Bytes value = new Bytes();
    for (int i = 0, count = saved.count(); i < count; i++) {
      saved.key(i, key);
      int hash = saved.hash(i);
      int live = cache.find(hash, key);
      if (live == ByteTable.NONE || !cache.isDirty(live)) {
        int entry = pending.add(hash, key, stores.of(key).ordered());
        if (saved.value(i, value) != null) {
          pending.set(entry, value.array(), value.offset(), value.length());
        }
      }
    }
    saved.clear();
  }

  private BytesWriter encodeValue(CachedStore<?, ?> store, int entry) {
    try {
      BytesWriter value = store.encodeLive(entry, key);
      cache.measured(entry, value.length());
      assert cache.object(entry) == null || mutations.note(entry, store.fingerprint(entry, value));
      return value;
    } catch (SerdeException | EntryTooLargeException e) {
      throw new RefusedAtCommitException(e);
    }
  }
}
