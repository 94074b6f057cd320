package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Disk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes expired entries, in steps that visit the stores with a time to live again and again.
///
/// It reads only entries on disk; entries of other layers reach the disk if they are not changed. A
/// key with an entry in another layer is skipped, because its value on disk is outdated. The
/// position of the sweep is lost at a restart.
final class ExpirySweep {
  private final ObjectCache cache;
  private final Layers layers;
  private final StoreTable stores;
  private final int[] numbers;
  private final BytesWriter bound = new BytesWriter(2);
  private int at;

  /// The key to go on from; null for the first of the store.
  private @Nullable Bytes from;

  ExpirySweep(ObjectCache cache, Layers layers, StoreTable stores) {
    this.cache = cache;
    this.layers = layers;
    this.stores = stores;
    numbers = stores.expiring();
  }

  long shortestTimeToLiveMillis() {
    long shortest = 0;
    for (int number : numbers) {
      long time = stores.of(number).timeToLiveMillis();
      shortest = shortest == 0 ? time : Math.min(shortest, time);
    }
    return shortest;
  }

  /// See [TaskState#sweep].
  boolean step(int atMost) {
    if (numbers.length == 0) {
      return false;
    }
    CachedStore<?, ?> store = stores.of(numbers[at]);
    List<Bytes> expired = expired(store, atMost);
    expired.forEach(store::deleteEncoded);
    return !expired.isEmpty();
  }

  private List<Bytes> expired(CachedStore<?, ?> store, int atMost) {
    List<Bytes> expired = new ArrayList<>();
    Bytes start = from == null ? prefix(numbers[at]) : from;
    try (Disk.Cursor cursor = layers.disk().range(start, prefix(numbers[at] + 1))) {
      for (int seen = 0; cursor.next(); seen++) {
        if (seen == atMost) {
          from = cursor.key().copy();
          return expired;
        }
        if (store.hasExpired(cursor.key(), cursor.value()) && isOnDiskOnly(cursor.key())) {
          expired.add(cursor.key().copy());
        }
      }
    }
    from = null;
    at = (at + 1) % numbers.length;
    return expired;
  }

  private boolean isOnDiskOnly(Bytes key) {
    int hash = ByteTable.hash(key);
    int cached = cache.find(hash, key);
    return (cached == ByteTable.NONE || cache.isClean(cached)) && layers.isOnDiskOnly(hash, key);
  }

  private Bytes prefix(int number) {
    bound.clear();
    bound.writeShort(number);
    return Bytes.of(bound.toByteArray());
  }
}
