package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the records of a stream are joined with, and when. Import the methods that describe it:
///
/// ```java
/// import static dev.millrace.api.With.broadcast;
/// import static dev.millrace.api.With.table;
///
/// orders
///     .join("customer", table(customers), (order, customer) -> order.of(customer))
///     .leftJoin("country", broadcast(countries, Order::country), Order::in)
/// ```
///
/// @param <K> the keys that the stream may have
/// @param <V> the values that the stream may have
/// @param <W> the values that they are joined with
/// @see KeyedStream#join
public sealed interface With<K, V, W> {

  /// Describes what the table has for the record's key when the record is processed. Later changes
  /// of the table change nothing. Results that are corrected are refused; [#asOf] takes them, and
  /// [BaseStream#withoutRetractions] says the other ways out.
  ///
  /// Whenever a task begins, records wait until the table was read as far as its topic went then.
  /// For a table that is computed after an exchange that topic is the exchange, and not what feeds
  /// it: at the first start it is empty, and records find nothing until the table has been
  /// computed.
  ///
  /// ```java
  /// orders.join("customer", table(customers), (order, customer) -> order.of(customer))
  /// ```
  static <K, W> With<K, Object, W> table(Table<K, W> table) {
    return new OfTable<>(table);
  }

  /// Describes what the table had for the record's key at the record's event time, whatever order
  /// both arrive in. A record waits until the watermark has passed it. For `lateness` behind the
  /// watermark, late records are joined and late records of the table correct results. A record
  /// that is later is dropped and counted. A record of the table that is later corrects nothing: it
  /// holds for the records that follow, unless a newer one is known; then it is counted, too.
  ///
  /// Each record of the table says what its key has from the record's event time on. So the table
  /// is a topic ([Topology#table]) or the latest values of a stream ([Grouped#latest]), with
  /// [Table#filter], [Table#mapValues] and [Table#conflated] after it; a value that does not pass a
  /// filter hides the ones before it. Aggregates and joined tables are refused: their values follow
  /// from several records. Instead of two joined tables, join with one and then with the other;
  /// instead of an aggregate, with the latest result of a window.
  ///
  /// ```java
  /// orders.join("priced", asOf(prices, ofMinutes(10)), (order, price) -> order.at(price))
  /// ```
  ///
  /// @param lateness not negative. If results of the stream are corrected for longer, it is that
  ///   long
  static <K, W> With<K, Object, W> asOf(Table<K, W> table, Duration lateness) {
    return new OfTableAsOf<>(table, lateness);
  }

  /// Describes the records of another stream with the same key that are near in time. Each pair
  /// gives a record under the key, at the later of both times, as soon as both are there; in one
  /// [window][Within#window], when that ends. Both streams are kept for as long as partners may
  /// arrive; a record later than [Within#allowedLateness] is dropped and counted.
  ///
  /// ```java
  /// orders.leftJoin("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
  /// ```
  static <K, W> OfStream<K, W> stream(KeyedStream<K, W> stream, Within within) {
    return new OfStream<>(stream, within);
  }

  /// Describes what a broadcast table has for the key that the record's value gives, when the
  /// record is processed. Later changes of the table change nothing. Whenever a task begins,
  /// records wait until the table was read as far as its topic went then. Results that are
  /// corrected are refused; see [BaseStream#withoutRetractions] for the ways out.
  ///
  /// ```java
  /// orders.join("country", broadcast(countries, order -> order.country()), Order::in)
  /// ```
  ///
  /// @param key a pure function; null looks nothing up
  static <L, V, W> Lookup<V, W> broadcast(
      Broadcast<L, W> table, Mapper<? super V, ? extends @Nullable L> key) {
    return new Lookup.OfBroadcast<>(table, key);
  }

  /// Describes what a remote table has for the record's own key. The table is asked when the record
  /// is processed, and may be asked again after a crash; later changes of it change nothing.
  /// Results have no headers. Results that are corrected are refused, as by [BaseStream#call],
  /// which says what holds besides. A record without a key is bad input.
  ///
  /// ```java
  /// visits.leftJoin("visitor", remote(users), (visit, user) -> visit.by(user))
  /// ```
  static <K, W> With<K, Object, W> remote(RemoteTable<K, W> table) {
    return new OfRemote<>(table);
  }

  /// Describes what a remote table has for the key that the record's value gives, otherwise as
  /// [#remote(RemoteTable)] does.
  ///
  /// ```java
  /// visits.leftJoin("title", remote(titles, Visit::page), (visit, title) -> visit.titled(title))
  /// ```
  ///
  /// @param key a pure function; null looks nothing up
  static <L, V, W> Lookup<V, W> remote(
      RemoteTable<L, W> table, Mapper<? super V, ? extends @Nullable L> key) {
    return new Lookup.OfRemote<>(table, key);
  }

  /// See [#table].
  record OfTable<K, W>(Table<K, W> table) implements With<K, Object, W> {}

  /// See [#asOf].
  record OfTableAsOf<K, W>(Table<K, W> table, Duration lateness) implements With<K, Object, W> {}

  /// See [#stream].
  record OfStream<K, W>(KeyedStream<K, W> stream, Within within) implements With<K, Object, W> {}

  /// See [#remote(RemoteTable)].
  record OfRemote<K, W>(RemoteTable<K, W> table) implements With<K, Object, W> {}

  /// What is looked up by a key that the record's value gives. So any stream can be joined with it.
  sealed interface Lookup<V, W> extends With<Object, V, W> {

    /// See [#broadcast].
    record OfBroadcast<L, V, W>(Broadcast<L, W> table, Mapper<? super V, ? extends @Nullable L> key)
        implements Lookup<V, W> {}

    /// See [#remote(RemoteTable, Mapper)].
    record OfRemote<L, V, W>(RemoteTable<L, W> table, Mapper<? super V, ? extends @Nullable L> key)
        implements Lookup<V, W> {}
  }
}
