package dev.millrace.api;

import dev.millrace.api.serde.Serde;

/// Declares a store: its name, its types, and what it can do.
///
/// @param name unique in the application; 1 to 100 lower-case letters, digits and `-`
/// @param ranges whether it can be read in ranges; needs a key serde that keeps the order
public record StoreSpec<K, V>(String name, Serde<K> keySerde, Serde<V> valueSerde, boolean ranges) {

  /// A store that is read by key.
  ///
  /// @throws IllegalArgumentException if the key's serde can give several encodings of equal keys
  public static <K, V> StoreSpec<K, V> keyValue(
      String name, Serde<K> keySerde, Serde<V> valueSerde) {
    return new StoreSpec<>(name, keySerde, valueSerde, false);
  }

  public StoreSpec {
    if (!keySerde.canonical()) {
      throw new IllegalArgumentException(
          "The keys of store '%s' need a serde that gives equal keys equal bytes; '%s' does not promise it."
              .formatted(name, keySerde.id()));
    }
    if (ranges && !keySerde.ordered()) {
      throw new IllegalArgumentException(
          "Store '%s' is read in ranges and needs keys whose bytes have their order; '%s' does not keep it."
              .formatted(name, keySerde.id()));
    }
  }

  /// The same store, which can also be read in ranges.
  public StoreSpec<K, V> withRanges() {
    return new StoreSpec<>(name, keySerde, valueSerde, true);
  }
}
