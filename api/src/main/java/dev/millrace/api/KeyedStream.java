package dev.millrace.api;

import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Record;
import org.jspecify.annotations.Nullable;

/// A stream whose records have a key that decides their partition: records of one key are in one
/// task, in order. See [BaseStream] for what holds of every stream.
///
/// Where the sides of a join have different numbers of partitions, or keys in different formats,
/// one of them passes through an exchange that is called after the join, `<name>-left` or
/// `<name>-right`: of a stream and a table the stream, otherwise the side with fewer partitions, or
/// the right side if only the formats differ. The plan shows it.
public interface KeyedStream<K, V> extends BaseStream<K, V, KeyedStream<K, V>> {

  /// Returns two streams in place of this one: the records of a share of all keys, which are those
  /// of [#sample(double)], and all others.
  ///
  /// ```java
  /// var tenth = orders.branch(Share.of(0.1));
  /// ```
  Branches<KeyedStream<K, V>> branch(Share share);

  /// Returns one record for each record, under the record's key.
  ///
  /// ```java
  /// orders.mapValues(order -> order.amount())
  /// ```
  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper);

  /// Returns one record for each element, in the order of the elements, under the key and at the
  /// time of the record.
  ///
  /// ```java
  /// orders.flatMapValues(order -> order.lines())
  /// ```
  ///
  /// @param mapper a pure function; a record without elements has no result
  <R> KeyedStream<K, R> flatMapValues(Mapper<? super V, ? extends Iterable<R>> mapper);

  /// Returns the records of a share of all keys: all records of a key, or none. See
  /// [#sample(double, Mapper)].
  ///
  /// ```java
  /// orders.sample(0.01)
  /// ```
  ///
  /// @param share from 0 to 1
  KeyedStream<K, V> sample(double share);

  @Override
  <W, R> KeyedStream<K, R> join(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner);

  @Override
  <W, R> KeyedStream<K, R> leftJoin(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Joins every record of both streams; either value may be null, not both. Results are emitted as
  /// by [#leftJoin].
  ///
  /// ```java
  /// orders.outerJoin("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
  /// ```
  <W, R> KeyedStream<K, R> outerJoin(
      String name,
      With.OfStream<? super K, W> with,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner);

  /// Groups the records of both streams by their keys, and those of more streams with
  /// [CoGrouped#and]. The keys are equal in all streams; those with fewer partitions are brought to
  /// the others through an exchange.
  ///
  /// ```java
  /// orders
  ///     .coGroup(payments)
  ///     .apply(
  ///         "dealings",
  ///         tumbling(ofDays(1)),
  ///         (window, sides) -> Dealing.of(sides.of(orders), sides.of(payments)))
  /// ```
  CoGrouped<K> coGroup(KeyedStream<K, ?> other);

  /// Returns the records after an exchange of that name, which has as many partitions as what they
  /// are merged or joined with. Joins and [#coGroup] add an exchange where they need one; [#merge]
  /// does not.
  ///
  /// ```java
  /// orders.merge(ordersOfPartners.repartition("partners"))
  /// ```
  KeyedStream<K, V> repartition(String name);

  /// Groups the records by the keys that they have, without an exchange.
  ///
  /// ```java
  /// orders.groupByKey().count("orders-of-customer")
  /// ```
  Grouped<K, V> groupByKey();

  @Override
  KeyedStream<K, Record<K, V>> records();

  @Override
  <R> KeyedStream<K, R> call(String name, Call<? super V, R> call);

  /// Writes each value under its key to a remote table, and then emits the record, without headers.
  /// A retraction deletes its key, unless another record of the key follows in the same commit, and
  /// is not emitted: so [Table#toChangelogStream] keeps a copy of a table up to date.
  ///
  /// Only what is committed is written: of a key one value after the other, and of several that
  /// wait only the last. A write may be repeated after a crash, but never with an older value than
  /// was written before, except by a request that was given up and arrives late: see
  /// [RemoteTable.Write#version].
  ///
  /// ```java
  /// totals.toChangelogStream().put("copied", totalsElsewhere)
  /// ```
  KeyedStream<K, V> put(String name, RemoteTable<K, V> table);

  /// Writes a value that is made of the record's, as [#put(String, RemoteTable)] does.
  ///
  /// ```java
  /// orders.put("seen", lastOrders, order -> order.time())
  /// ```
  ///
  /// @param value a pure function; null deletes the key
  <W> KeyedStream<K, V> put(
      String name, RemoteTable<K, W> table, Mapper<? super V, ? extends @Nullable W> value);

  @Override
  <R> KeyedStream<K, R> process(
      String name, Initializer<? extends Processor<K, V, R>> processor, StoreSpec<?, ?>... stores);
}
