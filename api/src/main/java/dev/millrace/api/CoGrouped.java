package dev.millrace.api;

import java.io.Serializable;
import java.util.List;

/// The records of several streams that have equal keys, together. All of them are kept as long as
/// their window.
///
/// ```java
/// orders
///     .coGroup(payments)
///     .and(parcels)
///     .apply(
///         "dealings",
///         tumbling(ofDays(1)),
///         (window, sides) -> new Dealings(sides.of(orders), sides.of(payments), sides.of(parcels)))
/// ```
public interface CoGrouped<K> {

  /// The same with the records of one more stream. If it has other partitions, or keys in another
  /// format, its records or those of the others go through an exchange; see
  /// [KeyedStream#repartition].
  CoGrouped<K> and(KeyedStream<K, ?> other);

  /// For each key and window in which any of the streams has a record, what the function makes of
  /// the records of all of them; see [Windowed#apply]. The function is pure. With windows whose
  /// [size each record tells][Windows#sizedBy], the values of all streams tell it.
  <R> WindowedTable<K, R> apply(String name, Windows windows, SidesFunction<? extends R> function);

  /// The values of a key in a window, by the stream they are from. Valid during the call.
  interface Sides {
    /// The values of one of the streams, in the order they came, behind results that may be
    /// corrected in that of their event times; empty if it has none.
    ///
    /// @throws IllegalArgumentException if it is none of the streams that were brought together
    <V> List<V> of(KeyedStream<?, V> stream);
  }

  /// Turns what several streams have for a key in a window into one result.
  @FunctionalInterface
  interface SidesFunction<R> extends Serializable {
    R apply(Window window, Sides sides);
  }
}
