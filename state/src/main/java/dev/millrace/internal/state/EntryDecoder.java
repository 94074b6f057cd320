package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.Lending;
import org.jspecify.annotations.Nullable;

/// Decodes the keys and values of a store, and says which one cannot be read.
final class EntryDecoder<K, V> {
  private final String store;
  private final String task;
  private final Serde<K> keySerde;
  private final Serde<V> valueSerde;
  private final boolean expires;

  EntryDecoder(StoreSpec<K, V> spec, String task) {
    store = spec.name();
    this.task = task;
    keySerde = spec.keySerde();
    valueSerde = spec.valueSerde();
    expires = spec.timeToLive() != null;
  }

  /// Reads a key that begins with the store's number.
  ///
  /// @param lending says how long a view is valid
  /// @param view is used, and may be what is returned
  K key(Bytes full, Lending lending, Bytes view) {
    try {
      return lending.read(keySerde, StoreTable.withoutNumber(full, view));
    } catch (SerdeException failure) {
      throw unreadable("key", full, keySerde, failure);
    }
  }

  /// Reads a value.
  ///
  /// @param full its key, with the store's number
  /// @param lending says how long a view is valid
  /// @param view is used, and may be what is returned
  V value(Bytes full, Bytes encoded, Lending lending, Bytes view) {
    try {
      return lending.read(valueSerde, expires ? Expiry.withoutExpiry(encoded, view) : encoded);
    } catch (SerdeException failure) {
      throw unreadable("value of key", full, valueSerde, failure);
    }
  }

  /// Returns whether values of the store expire.
  boolean expires() {
    return expires;
  }

  /// Returns whether an encoded value is there no more.
  boolean hasExpired(Bytes full, Bytes encoded, long nowMillis) {
    try {
      return expires && Expiry.of(encoded) <= nowMillis;
    } catch (SerdeException failure) {
      throw unreadable("value of key", full, valueSerde, failure);
    }
  }

  /// Returns a copy of the bytes that the serde wrote for a value; null if it has expired.
  @Nullable Bytes committedValue(Bytes full, Bytes encoded, long nowMillis) {
    if (hasExpired(full, encoded, nowMillis)) {
      return null;
    }
    return (expires ? Expiry.withoutExpiry(encoded, new Bytes()) : encoded).copy();
  }

  private SerdeException unreadable(
      String what, Bytes key, Serde<?> serde, SerdeException failure) {
    return new SerdeException(
        "The %s %s in store '%s' of task %s cannot be read with serde '%s': %s"
            .formatted(
                what, StoreTable.withoutNumber(key), store, task, serde.id(), failure.getMessage()),
        failure);
  }
}
