package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.layer.ByteTable;
import java.time.Duration;

/// Encodes the values of a store into the task's buffer, rejects values that are too large, and
/// reports values that may soon be. Results of its methods are valid until the task encodes another
/// value.
final class ValueEncoder<V> {
  private final ValueBuffer buffer;

  /// For fingerprints while the buffer holds the value that is being written.
  private final ValueBuffer lasting;

  private final StoreClock clock;
  private final String store;
  private final Serde<V> serde;
  private final ValueSizes sizes;

  /// How long values live after they were put; 0 for ever.
  private final long timeToLiveMillis;

  private LargeValues watcher = (_, _, _, _) -> {};

  ValueEncoder(StoreContext context, StoreSpec<?, V> spec, ValueSizes sizes) {
    buffer = context.buffer();
    clock = context.clock();
    store = spec.name();
    serde = spec.valueSerde();
    this.sizes = sizes;
    Duration timeToLive = spec.timeToLive();
    lasting = serde instanceof SwitchingSerde ? new ValueBuffer() : buffer;
    timeToLiveMillis = timeToLive == null ? 0 : timeToLive.toMillis();
  }

  /// Sets a watcher of values that are near the limit.
  void watch(LargeValues newWatcher) {
    watcher = newWatcher;
  }

  /// Returns the index in an encoded value where the serde's bytes begin.
  int valueStart() {
    return timeToLiveMillis > 0 ? Expiry.BYTES : 0;
  }

  /// Returns a writer with what comes before a value.
  BytesWriter begin() {
    BytesWriter writer = buffer.begin();
    if (timeToLiveMillis > 0) {
      Expiry.write(clock.millis() + timeToLiveMillis, writer);
    }
    return writer;
  }

  /// Returns a value encoded, without more memory than a value may take.
  ///
  /// @param key its key with the store's number, for messages
  /// @throws EntryTooLargeException if it is too large
  BytesWriter encode(V value, Bytes key) {
    BytesWriter writer = begin();
    writer.limit(sizes.mostBytes());
    try {
      serde.write(value, writer);
    } catch (SerdeException e) {
      throw writer.isAtLimit()
          ? sizes.tooLarge(StoreTable.withoutNumber(key), "more than " + sizes.mostBytes())
          : e;
    }
    int size = writer.length();
    if (size > sizes.mostBytes()) {
      throw sizes.tooLarge(StoreTable.withoutNumber(key), Integer.toString(size));
    }
    sizes.note(size);
    if (sizes.isLarge(size)) {
      watcher.large(store, StoreTable.withoutNumber(key), size, sizes.mostBytes());
    }
    return writer;
  }

  /// Returns the hash of the encoding of a value of the store, without its expiry: the same before
  /// and after the serde switches to another format.
  @SuppressWarnings("unchecked")
  int fingerprint(Object value) {
    Serde<V> format = serde instanceof SwitchingSerde<V> switching ? switching.later() : serde;
    BytesWriter writer = lasting.begin();
    format.write((V) value, writer);
    int hash = ByteTable.hash(writer.array(), 0, writer.length());
    if (lasting != buffer) {
      lasting.trim();
    }
    return hash;
  }

  /// Returns the [fingerprint][#fingerprint(Object)] of a value that was just encoded.
  int fingerprint(V value, BytesWriter encoded) {
    int start = valueStart();
    return serde instanceof SwitchingSerde
        ? fingerprint(value)
        : ByteTable.hash(encoded.array(), start, encoded.length() - start);
  }
}
