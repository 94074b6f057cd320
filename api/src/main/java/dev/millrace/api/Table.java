package dev.millrace.api;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// The latest value of each key.
///
/// What is made of a table follows its changes: a new value replaces the old one in everything that
/// is computed from it. So functions given to the operators of a table are pure.
public interface Table<K, V> {

  /// Returns this table, and says how its values are encoded. Right after the operator that makes
  /// the table, the serde holds for its store, too; to say it later is an error there.
  ///
  /// ```java
  /// orders
  ///     .groupByKey()
  ///     .aggregate("pages", TreeSet<Page>::new, (pages, order) -> order.addTo(pages))
  ///     .as(setsOfPages)
  /// ```
  Table<K, V> as(Serde<V> serde);

  /// Returns the entries for whose values the predicate holds.
  ///
  /// ```java
  /// totals.filter(total -> total > 1_000)
  /// ```
  Table<K, V> filter(Predicate<? super V> predicate);

  /// Returns other values under the same keys.
  ///
  /// ```java
  /// totals.mapValues(total -> "total: " + total)
  /// ```
  <R> Table<K, R> mapValues(Mapper<? super V, ? extends R> mapper);

  /// Groups the entries by a new key, through an exchange of that name. What is computed from them
  /// is what their latest values give.
  ///
  /// ```java
  /// customers.groupBy("by-country", customer -> customer.country()).count("customers-of-country")
  /// ```
  ///
  /// @param key a pure function; null is bad input, so filter such entries out before
  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key);

  /// Joins the values of each key that both tables have. Both sides are kept. See [KeyedStream] for
  /// what happens where they have different partitions.
  ///
  /// ```java
  /// customers.join("ranked", totals, (customer, total) -> customer.spending(total))
  /// ```
  <W, R> Table<K, R> join(
      String name, Table<K, W> other, Joiner<? super V, ? super W, ? extends R> joiner);

  /// Joins every value of this table; that of the other table may be null.
  ///
  /// ```java
  /// customers.leftJoin("ranked", totals, (customer, total) -> customer.spending(total))
  /// ```
  <W, R> Table<K, R> leftJoin(
      String name, Table<K, W> other, Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Joins every value of either table; one of the two may be null.
  ///
  /// ```java
  /// customers.outerJoin("ranked", totals, (customer, total) -> Customer.either(customer, total))
  /// ```
  <W, R> Table<K, R> outerJoin(
      String name,
      Table<K, W> other,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner);

  /// Joins each value with the one that the other table has for the key that it refers to; there is
  /// no result if it has none. Entries are sent through an exchange of that name to the other
  /// table's key, and results through another, `<name>-back`, to their own. An entry whose foreign
  /// key is null refers to nothing. The other table may be this one; it then passes through an
  /// exchange, too, `<name>-right`.
  ///
  /// ```java
  /// customers.join(
  ///     "with-shop", shops, customer -> customer.shop(), (customer, shop) -> customer.near(shop))
  /// ```
  <F, W, R> Table<K, R> join(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super W, ? extends R> joiner);

  /// Joins every value by a foreign key, as [#join(String, Table, Mapper, Joiner)] does; the other
  /// value may be null.
  ///
  /// ```java
  /// customers.leftJoin(
  ///     "with-shop", shops, customer -> customer.shop(), (customer, shop) -> customer.near(shop))
  /// ```
  <F, W, R> Table<K, R> leftJoin(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Returns this table with fewer changes: of several changes of a key among records that are
  /// processed together, what follows gets only the difference between the first old and the last
  /// new value. The last change of a key is never held back, and nothing waits longer for it.
  ///
  /// How many records are processed together depends on the load, so a change in between may be
  /// emitted at one time and not at another; the last value is the same.
  ///
  /// ```java
  /// totals.conflated().to(Kafka.sink("totals").key(Serdes.string()).value(Serdes.longs()))
  /// ```
  Table<K, V> conflated();

  /// Returns the new values of the table: for every change a record with the key and its new value,
  /// at the event time of the record that caused it; nothing where a key is deleted. The values of
  /// a key are in order.
  ///
  /// ```java
  /// totals.toStream().filter(total -> total > 1_000)
  /// ```
  KeyedStream<K, V> toStream();

  /// Returns the changes of the table: for every change a retraction of the old value (a record for
  /// which [isRetraction][dev.millrace.api.function.Record#isRetraction] is true) if there was one,
  /// and a record with the new value unless the key is deleted.
  ///
  /// ```java
  /// totals.toChangelogStream().put("copied", totalsElsewhere)
  /// ```
  KeyedStream<K, V> toChangelogStream();

  /// Writes every new value, and a deleted key without a value; the key decides the partition.
  ///
  /// ```java
  /// totals.to(Kafka.sink("totals").compacted().key(Serdes.string()).value(Serdes.longs()))
  /// ```
  void to(Sink<? super K, V> sink);
}
