package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;

/// Encodes what a commit has frozen: in turn, and before that whatever is about to change.
final class Freezer {
  private final Workbench bench;
  private final Bytes key = new Bytes();

  Freezer(Workbench bench) {
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

  private static int encodeValue(CachedStore<?, ?> store, int entry, Bytes at) {
    try {
      return store.encodeLive(entry, at);
    } catch (SerdeException | EntryTooLargeException e) {
      throw new RefusedAtCommitException(e);
    }
  }
}
