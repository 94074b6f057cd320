package dev.millrace.api;

import dev.millrace.api.serde.Serde;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Declares a store of a [Processor]: its name, its types, and what it can do.
///
/// ```java
/// StoreSpec<String, Long> SILENT_SINCE =
///     StoreSpec.keyValue("silent-since", Serdes.string(), Serdes.longs())
///         .withRanges()
///         .withTimeToLive(ofDays(7));
/// ```
///
/// @param name unique in the application; 1 to 100 lower-case letters, digits and `-`
/// @param ranges whether it can be read in ranges; needs a key serde that keeps the order
/// @param timeToLive how long a value is there after it was put; null for as long as it is not
///   deleted
public record StoreSpec<K, V>(
    String name,
    Serde<K> keySerde,
    Serde<V> valueSerde,
    boolean ranges,
    @Nullable Duration timeToLive) {

  /// Returns a store that is read by key.
  ///
  /// @throws IllegalArgumentException if the key's serde can give several encodings of equal keys
  public static <K, V> StoreSpec<K, V> keyValue(
      String name, Serde<K> keySerde, Serde<V> valueSerde) {
    return new StoreSpec<>(name, keySerde, valueSerde, false, null);
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
    if (timeToLive != null && timeToLive.toMillis() < 1) {
      throw new IllegalArgumentException(
          "A value of store '%s' is to live for %s; give a millisecond at least."
              .formatted(name, timeToLive));
    }
  }

  /// Returns the store with ranges: [KeyValueStore#range] can read it.
  public StoreSpec<K, V> withRanges() {
    return new StoreSpec<>(name, keySerde, valueSerde, true, timeToLive);
  }

  /// Returns the store with values that expire when they were not put again for some time: they are
  /// neither read nor shown in ranges any more, and are removed later.
  ///
  /// The time is that of the task's commits: it does not change between two of them, and a crash
  /// does not change what is seen of it. So a value may live longer by the time between two
  /// commits. Another time holds for what is put from then on, and has to be accepted at the start;
  /// a store that has been without cannot be opened as one with it, nor the other way round.
  ///
  /// @throws IllegalArgumentException if the time is shorter than a millisecond
  public StoreSpec<K, V> withTimeToLive(Duration time) {
    return new StoreSpec<>(name, keySerde, valueSerde, ranges, time);
  }
}
