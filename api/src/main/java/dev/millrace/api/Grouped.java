package dev.millrace.api;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import java.time.Duration;

/// Records that are grouped by a key: those with equal keys are in one task, in order. What is
/// computed from them is kept in a store of the given name.
public interface Grouped<K, V> {

  /// Returns this grouping, and says how its keys are encoded: right after [BaseStream#groupBy],
  /// where the key's type does not show it and [Topology#serde] has none for it.
  ///
  /// ```java
  /// orders.groupBy("by-page", order -> order.page()).keyAs(pages)
  /// ```
  Grouped<K, V> keyAs(Serde<K> serde);

  /// Returns the records as a keyed stream, to be written, joined, merged or processed: in the
  /// partition of the key that they are grouped by, in the order in which the task gets them. After
  /// [BaseStream#groupBy] that is after the exchange, which the plan shows.
  ///
  /// ```java
  /// orders.groupBy("by-shop", order -> order.shop()).stream().process("rates", Rates::new)
  /// ```
  KeyedStream<K, V> stream();

  /// Divides the records of each key into windows of event time.
  ///
  /// ```java
  /// orders.groupByKey().window(tumbling(ofHours(1))).count("orders-of-hour")
  /// ```
  Windowed<K, V> window(Windows windows);

  /// Returns how many records each key has.
  ///
  /// ```java
  /// orders.groupByKey().count("orders-of-customer")
  /// ```
  Table<K, Long> count(String name);

  /// Returns all values of a key combined, in order; a single value is the result itself. The order
  /// is that in which the values arrive; after windows whose results are corrected, that of event
  /// time.
  ///
  /// ```java
  /// orders.groupByKey().reduce("largest", (one, other) -> one.larger(other))
  /// ```
  Table<K, V> reduce(String name, Reducer<V> reducer);

  /// Returns the latest value of each key: so the records of a topic that is not partitioned by the
  /// key, or those of a file, become a table.
  ///
  /// It is the value that arrived last; after windows whose results are corrected, which arrive in
  /// any order, the one with the latest event time. See [With#asOf] for what a key had before.
  ///
  /// ```java
  /// orders.groupByKey().latest("last-order")
  /// ```
  Table<K, V> latest(String name);

  /// Returns an aggregate of all values of a key, which are added in the order of [#reduce].
  ///
  /// ```java
  /// orders.groupByKey().aggregate("spent", () -> 0L, (sum, order) -> sum + order.amount())
  /// ```
  <A> Table<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator);

  /// Returns an aggregate of all values of a key, with what else can be done with aggregates. If
  /// one says how a value is removed again, the old values of a table need not be kept.
  ///
  /// ```java
  /// orders
  ///     .groupByKey()
  ///     .aggregate(
  ///         "sum",
  ///         Aggregate.invertible(
  ///             () -> 0L,
  ///             (sum, order) -> sum + order.amount(),
  ///             Long::sum,
  ///             (sum, order) -> sum - order.amount()))
  /// ```
  <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate);

  /// Returns the records of each key, in order of event time, without those that are less than
  /// `within` later than one that was emitted.
  ///
  /// A record waits until the watermark has passed it, so disorder up to what the source declares
  /// changes nothing; of records with equal times the first to arrive is the first. A record that
  /// is late by less than `within` is emitted if no emitted one is as near, earlier or later; one
  /// that is later is dropped and counted as too late. What was emitted is never retracted, so
  /// results that are corrected are refused; see [BaseStream#withoutRetractions] for the ways out.
  /// A key is forgotten when the watermark is twice `within` past it.
  ///
  /// ```java
  /// orders.groupByKey().deduplicate("first-of-day", ofDays(1))
  /// ```
  KeyedStream<K, V> deduplicate(String name, Duration within);

  /// Removes duplicates among the records of a key with equal attributes, such as an id, as
  /// [#deduplicate(String, Duration)] does.
  ///
  /// ```java
  /// orders.groupByKey().deduplicate("first-of-id", ofDays(1), order -> order.id())
  /// ```
  ///
  /// @param attribute a pure function; null is bad input
  <A> KeyedStream<K, V> deduplicate(
      String name, Duration within, Mapper<? super V, ? extends A> attribute);
}
