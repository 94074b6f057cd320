package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.layer.ByteTable;
import java.time.Duration;

/// Encodes the values of a store into the task's writer, refuses those that are too large, and
/// tells of those that may soon be.
final class ValueEncoder<V> {
  private final Workbench bench;
  private final String store;
  private final Serde<V> serde;
  private final ValueSizes sizes;

  /// How long values live after they were put; 0 for ever.
  private final long timeToLiveMillis;

  ValueEncoder(Workbench bench, StoreSpec<?, V> spec, ValueSizes sizes) {
    this.bench = bench;
    store = spec.name();
    serde = spec.valueSerde();
    this.sizes = sizes;
    Duration timeToLive = spec.timeToLive();
    timeToLiveMillis = timeToLive == null ? 0 : timeToLive.toMillis();
  }

  /// The task's writer, with what comes before the value.
  BytesWriter begin() {
    BytesWriter writer = bench.valueWriter;
    writer.clear();
    if (timeToLiveMillis > 0) {
      Expiry.write(bench.clockMillis + timeToLiveMillis, writer);
    }
    return writer;
  }

  /// Encodes a value, without more memory than a value may take.
  ///
  /// @param entry whose value it is; that of the key at work if it has none yet
  /// @return its length
  /// @throws EntryTooLargeException if it is too large
  int measure(V value, int entry) {
    BytesWriter writer = begin();
    writer.limit(sizes.mostBytes());
    try {
      serde.write(value, writer);
    } catch (SerdeException e) {
      throw writer.isAtLimit() ? sizes.tooLarge(keyOf(entry), "more than " + sizes.mostBytes()) : e;
    }
    int size = writer.length();
    require(size, entry);
    sizes.note(size);
    if (sizes.isLarge(size)) {
      bench.largeValues.large(store, keyOf(entry), size, sizes.mostBytes());
    }
    return size;
  }

  /// @throws EntryTooLargeException if a value of an entry is too large
  void require(int size, int entry) {
    if (size > sizes.mostBytes()) {
      throw sizes.tooLarge(keyOf(entry), Integer.toString(size));
    }
  }

  private Bytes keyOf(int entry) {
    return StoreTable.withoutNumber(
        entry == ByteTable.NONE ? bench.key : bench.cache.key(entry, new Bytes()));
  }
}
