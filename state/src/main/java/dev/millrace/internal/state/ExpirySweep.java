package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
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
  private final StoreContext context;
  private final StoreTable stores;
  private final int[] numbers;
  private int at;

  /// The key to go on from; null for the first of the store.
  private @Nullable Bytes from;

  ExpirySweep(StoreContext context, StoreTable stores) {
    this.context = context;
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
    Bytes start = from == null ? StoreTable.prefix(numbers[at]) : from;
    try (Disk.Cursor cursor =
        context.layers().disk().range(start, StoreTable.prefix(numbers[at] + 1))) {
      for (int seen = 0; cursor.next(); seen++) {
        if (seen == atMost) {
          from = cursor.key().copy();
          return expired;
        }
        Bytes key = cursor.key();
        if (context.isOwn(key)
            && store.hasExpired(key, cursor.value())
            && context.isOnDiskOnly(ByteTable.hash(key), key)) {
          expired.add(key.copy());
        }
      }
    }
    from = null;
    at = (at + 1) % numbers.length;
    return expired;
  }
}
