package dev.millrace.internal.state;

import dev.millrace.api.KeyValueStore.Visitor;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.cache.LiveEntries;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.internal.state.layer.MergeRange;
import dev.millrace.internal.state.layer.SortedEntries;
import dev.millrace.spi.Lending;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads a [CachedStore] in the order of its keys, through all layers.
final class RangeReader<K, V> {
  private final CachedStore<K, V> store;
  private final StoreKeys<K> keys;
  private final EntryDecoder<K, V> decoder;
  private final ObjectCache cache;
  private final Layers layers;
  private final StoreContext context;

  RangeReader(
      CachedStore<K, V> store,
      StoreContext context,
      StoreKeys<K> keys,
      EntryDecoder<K, V> decoder) {
    this.store = store;
    this.keys = keys;
    this.decoder = decoder;
    cache = context.cache();
    layers = context.layers();
    this.context = context;
  }

  /// See [dev.millrace.api.KeyValueStore#range].
  void range(@Nullable K from, @Nullable K to, Visitor<K, V> visitor) {
    Bytes low = keys.from(from);
    Bytes high = keys.to(to);
    if (low.compareTo(high) >= 0) {
      return;
    }
    Bytes keyView = new Bytes();
    Bytes valueView = new Bytes();
    Lending keyLending = Lending.begin();
    Lending valueLending = Lending.begin();
    List<SortedEntries> live = new ArrayList<>();
    cache.addRange(live, low, high);
    MergeRange range = layers.openRange(live, low, high);
    try {
      boolean more = true;
      while (more && range.next()) {
        SortedEntries at = range.current();
        Bytes encoded = at.encoded();
        if (!context.isOwn(at.key()) || (encoded != null && store.hasExpired(at.key(), encoded))) {
          continue;
        }
        K key = decoder.key(at.key(), keyLending, keyView);
        V value =
            at instanceof LiveEntries objects
                ? store.cached(objects.entry())
                : decoder.value(at.key(), Objects.requireNonNull(encoded), valueLending, valueView);
        more = visitor.entry(key, value);
        keyLending.end();
        valueLending.end();
      }
    } finally {
      layers.closeRange(range);
    }
  }
}
