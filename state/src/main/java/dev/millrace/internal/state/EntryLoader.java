package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.cache.CachePrefetch;
import dev.millrace.internal.state.cache.MutationCheck;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Lending;
import org.jspecify.annotations.Nullable;

/// Decodes entries of a store from the layers into the cache: one when it is read, or many at once
/// for a batch.
final class EntryLoader<V> {
  private final ObjectCache cache;
  private final Layers layers;
  private final StoreClock clock;
  private final MutationCheck mutations;
  private final StoreKeys<?> keys;
  private final ValueSizes sizes;
  private final ValueEncoder<V> encoder;
  private final EntryDecoder<?, V> decoder;
  private final int smallBytes;
  private final Lending lending = Lending.begin();
  private final Bytes withoutExpiry = new Bytes();
  private final ReadAheadPolicy policy = new ReadAheadPolicy();
  private final CachePrefetch prefetch;
  private boolean readsAhead = true;

  /// @param smallBytes how many bytes each value has if they are kept as bytes; 0 if they are kept
  ///   as objects
  EntryLoader(
      StoreContext context,
      StoreKeys<?> keys,
      ValueSizes sizes,
      ValueEncoder<V> encoder,
      EntryDecoder<?, V> decoder,
      int smallBytes) {
    cache = context.cache();
    layers = context.layers();
    clock = context.clock();
    mutations = context.mutations();
    this.keys = keys;
    this.sizes = sizes;
    this.encoder = encoder;
    this.decoder = decoder;
    this.smallBytes = smallBytes;
    prefetch = new CachePrefetch(cache);
  }

  /// Loads a key that has no entry in the cache.
  ///
  /// @param full the key with the store's number
  /// @return the entry
  int load(int hash, Bytes full) {
    cache.missed();
    long before = layers.diskReads();
    Bytes below = layers.find(hash, full);
    policy.readAlone(layers.diskReads() - before);
    return setLoaded(ByteTable.NONE, hash, full, below);
  }

  /// Sets a dirty entry to the value of the layers below; see [ObjectCache#clean].
  ///
  /// @param full its key with the store's number
  /// @throws SerdeException if it cannot be decoded; the entry is unchanged then
  void revert(int entry, Bytes full) {
    int hash = cache.hash(entry);
    setLoaded(entry, hash, full, layers.find(hash, full));
  }

  /// See [CachedStore#wantsKeysAhead].
  boolean wantsKeysAhead() {
    readsAhead = policy.payAhead(cache.hits() + cache.misses());
    return readsAhead || cache.isLarge();
  }

  /// See [CachedStore#want].
  void want(Bytes encoded) {
    int hash = keys.hash(encoded);
    if (!readsAhead) {
      prefetch.add(hash);
    } else if (keys.find(hash, encoded) == ByteTable.NONE) {
      layers.want(hash, keys.withNumber(encoded));
    }
  }

  /// See [CachedStore#loadWanted].
  void loadWanted() {
    prefetch.touch();
    if (readsAhead) {
      policy.readTogether(layers.loadWanted(this::addIfReadable));
      cache.evict();
    }
  }

  private void addIfReadable(int hash, Bytes full, @Nullable Bytes encoded) {
    try {
      // Used entries would be spared, and what is about to be asked for would leave instead.
      cache.spare(setLoaded(ByteTable.NONE, hash, full, encoded));
    } catch (SerdeException _) {
      // The get that needs it says which record asked.
    }
  }

  /// Puts a value found below into its entry, or a new one.
  private int setLoaded(int at, int hash, Bytes full, @Nullable Bytes encoded) {
    Bytes there =
        encoded == null || decoder.hasExpired(full, encoded, clock.millis()) ? null : encoded;
    Object value = there == null ? null : decoded(full, there);
    int size = there == null ? 0 : there.length();
    int entry = at;
    if (entry == ByteTable.NONE) {
      entry = cache.addClean(hash, full, value, size);
    } else {
      cache.revert(entry, value, size);
    }
    if (decoder.expires()) {
      cache.expiry(entry, there == null ? Long.MAX_VALUE : Expiry.of(there));
    }
    if (there != null && smallBytes > 0) {
      cache.small(entry, there.array(), there.offset() + encoder.valueStart(), smallBytes);
    }
    assert value == null || smallBytes > 0 || mutations.note(entry, encoder.fingerprint(value));
    return entry;
  }

  /// Returns a value found below as the cache keeps it.
  private Object decoded(Bytes full, Bytes encoded) {
    V value = decoder.value(full, encoded, lending, withoutExpiry);
    sizes.note(encoded.length());
    Object kept = value instanceof Bytes view ? view.copy() : value;
    lending.end();
    return smallBytes > 0 ? ObjectCache.Small.VALUE : kept;
  }
}
