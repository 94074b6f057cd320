package dev.millrace.api;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;

/// The records of each key, divided into windows of event time.
public interface Windowed<K, V> {

  /// Returns how many records each key has in each window.
  ///
  /// ```java
  /// orders.groupByKey().window(tumbling(ofHours(1))).count("orders-of-hour")
  /// ```
  WindowedTable<K, Long> count(String name);

  /// Returns the values of a key in a window combined, in the order in which they arrive; after
  /// results that may be corrected, in that of their event times.
  ///
  /// ```java
  /// ordersOfKey
  ///     .window(days(ZoneId.of("Europe/Zurich")))
  ///     .reduce("largest-of-day", (one, other) -> one.larger(other))
  /// ```
  WindowedTable<K, V> reduce(String name, Reducer<V> reducer);

  /// Returns an aggregate of the values of a key in a window, which are added in the order of
  /// [#reduce].
  ///
  /// ```java
  /// ordersOfKey
  ///     .window(sessions(ofMinutes(30)))
  ///     .aggregate("spent", () -> 0L, (sum, order) -> sum + order.amount())
  /// ```
  <A> WindowedTable<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator);

  /// Returns an aggregate of the values of a key in a window, with what else can be done with
  /// aggregates: how two of them are merged, which sessions and overlapping windows need to keep no
  /// values, and how a value is removed again, which windows after corrected results need for that.
  ///
  /// ```java
  /// ordersOfKey
  ///     .window(hopping(ofHours(1), ofMinutes(5)))
  ///     .aggregate(
  ///         "sum",
  ///         Aggregate.merging(() -> 0L, (sum, order) -> sum + order.amount(), Long::sum))
  /// ```
  <A> WindowedTable<K, A> aggregate(String name, Aggregate<A, V> aggregate);

  /// Applies the function to all values of a key in a window when the window closes, and again for
  /// each result that replaces an earlier one: for what cannot be aggregated value by value, such
  /// as a median. Every value is kept as long as the window, so prefer [#aggregate] where it is
  /// possible; all values of one key and window must fit into memory.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofDays(1))).apply("median", (window, all) -> median(all))
  /// ```
  ///
  /// @param function a pure function
  <R> WindowedTable<K, R> apply(String name, WindowFunction<V, ? extends R> function);

  /// Returns these windows, and gives the records that are too late for all their windows to the
  /// consumer, as a stream of their own. They are counted in any case.
  ///
  /// ```java
  /// orders
  ///     .groupByKey()
  ///     .window(tumbling(ofMinutes(1)))
  ///     .tooLate(late -> late.to(lateOrders))
  ///     .count("orders-of-minute")
  /// ```
  Windowed<K, V> tooLate(Consumer<KeyedStream<K, V>> then);
}
