package dev.millrace.api;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// The latest value of each key.
///
/// What is made of a table follows its changes: a new value takes the place of the old one
/// everywhere behind it. So functions given to a table's operators are pure.
public interface Table<K, V> {

  /// Returns the same table, and says how its values are encoded. Right behind the operator that
  /// makes the table it holds for the store, too; it is an error to say it later there.
  ///
  /// ```java
  /// visits
  ///     .groupByKey()
  ///     .aggregate("pages", TreeSet<String>::new, (pages, visit) -> visit.addTo(pages))
  ///     .as(pages)
  /// ```
  Table<K, V> as(Serde<V> serde);

  /// The entries for which the predicate holds.
  Table<K, V> filter(Predicate<? super V> predicate);

  /// Other values under the same keys.
  <R> Table<K, R> mapValues(Mapper<? super V, ? extends R> mapper);

  /// Brings the entries with equal new keys together, through an exchange of that name. What is
  /// computed from them is what their latest values give.
  ///
  /// @param key a pure function; null is bad input, so filter such entries out before
  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key);

  /// Of the keys that both tables have, what the joiner makes of both values. Both sides are kept.
  /// See [KeyedStream] for what happens where they have other partitions.
  <W, R> Table<K, R> join(
      String name, Table<K, W> other, Joiner<? super V, ? super W, ? extends R> joiner);

  /// The same of every key of this table; the other value may be null.
  <W, R> Table<K, R> leftJoin(
      String name, Table<K, W> other, Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// The same of every key of either table; one of the values may be null.
  <W, R> Table<K, R> outerJoin(
      String name,
      Table<K, W> other,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner);

  /// Of each entry, what the joiner makes of its value and of the value that the other table has
  /// for the key that it refers to; none if that has none. Entries travel through an exchange of
  /// that name to the other table's key, and results through another, `<name>-back`, to their own.
  /// An entry whose foreign key is null refers to nothing. The other table may be this one; it then
  /// goes through an exchange, too, `<name>-right`.
  <F, W, R> Table<K, R> join(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super W, ? extends R> joiner);

  /// The same of every entry; the other value may be null.
  <F, W, R> Table<K, R> leftJoin(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// The same table, of which less is told: when a key changes several times among records that are
  /// processed together, what follows sees only what that comes to. The last change of a key is
  /// never held back, and nothing waits longer for it.
  ///
  /// How many records are processed together depends on the load, so a change that is in between
  /// may be told at one time and not at another; what all changes of a key come to is the same.
  Table<K, V> conflated();

  /// Returns the new values of the table: for every change a record with the key and its new value,
  /// at the event time of the record that caused it; nothing where a key is deleted. The values of
  /// a key are in order.
  KeyedStream<K, V> toStream();

  /// Returns the changes of the table: of every change a retraction of the old value
  /// ([dev.millrace.api.function.Record#isRetraction]) if there was one, and a record with the new value unless the key is
  /// deleted.
  KeyedStream<K, V> toChangelogStream();

  /// Writes every new value, and a key that is gone without a value; the key decides the partition.
  ///
  /// ```java
  /// totals.to(Kafka.sink("totals").key(Serdes.string()).value(Serdes.longs()).compacted())
  /// ```
  void to(Sink<? super K, V> sink);
}
