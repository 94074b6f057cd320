package dev.millrace.api;

import java.io.Serializable;
import java.util.List;

/// The records of several streams, grouped by equal keys. All of them are kept as long as their
/// window.
///
/// ```java
/// orders
///     .coGroup(payments)
///     .and(parcels)
///     .apply(
///         "dealings",
///         tumbling(ofDays(1)),
///         (window, sides) ->
///             new Dealing(sides.of(orders), sides.of(payments), sides.of(parcels)))
/// ```
public interface CoGrouped<K> {

  /// Adds the records of one more stream. If it has other partitions, or keys in another format,
  /// its records or those of the others pass through an exchange; see [KeyedStream#repartition].
  CoGrouped<K> and(KeyedStream<K, ?> other);

  /// Applies the function to the records of all streams, for each key and window in which any of
  /// them has a record; see [Windowed#apply]. With windows whose [size is given by each
  /// record][Windows#sizedBy], the values of all streams give it.
  ///
  /// @param function a pure function
  <R> WindowedTable<K, R> apply(String name, Windows windows, SidesFunction<? extends R> function);

  /// The values of a key in a window, by the stream that they are from. Valid during the call.
  interface Sides {
    /// Returns the values of one of the streams, in the order in which they arrived, after results
    /// that may be corrected in that of their event times; empty if it has none.
    ///
    /// @throws IllegalArgumentException if it is none of the streams that were grouped
    <V> List<V> of(KeyedStream<?, V> stream);
  }

  /// Returns one result for what several streams have for a key in a window.
  @FunctionalInterface
  interface SidesFunction<R> extends Serializable {
    R apply(Window window, Sides sides);
  }
}
