package dev.millrace.api;

import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// A result for each key and window. It is emitted when the watermark reaches the end of the
/// window; its event time is that end minus one millisecond.
///
/// A late record within the [allowed lateness][Windows#allowedLateness] corrects a result, and each
/// [early][Windows#early] result is replaced by the next one: the old result is retracted by a
/// record with the same key, value and event time
/// ([dev.millrace.api.function.Record#isRetraction]), and the new one follows. What is computed
/// from the results is corrected with them. Without an allowed lateness and early results, a result
/// is final.
///
/// It is no [Table]: a key has many windows, so there is no one latest value of a key to look up or
/// to write to a sink. [#results] makes records of it, which a table, a sink or another window
/// takes.
public interface WindowedTable<K, A> {

  /// Returns the same results, and says how their values are encoded where they are sent. Right
  /// after the operator that computes them, the serde holds for its store, too.
  ///
  /// ```java
  /// orders
  ///     .groupByKey()
  ///     .window(tumbling(ofHours(1)))
  ///     .aggregate("hourly", Tally::new, (tally, order) -> tally.plus(order))
  ///     .as(tallies)
  /// ```
  WindowedTable<K, A> as(Serde<A> serde);

  /// Returns the results for whose values the predicate holds.
  ///
  /// ```java
  /// ordersOfHour.filter(count -> count > 100)
  /// ```
  ///
  /// @param predicate a pure function
  WindowedTable<K, A> filter(Predicate<? super A> predicate);

  /// Returns the results with other values, for the same keys and windows.
  ///
  /// ```java
  /// ordersOfHour.mapValues(count -> count / 60.0)
  /// ```
  ///
  /// @param mapper a pure function
  <R> WindowedTable<K, R> mapValues(Mapper<? super A, ? extends R> mapper);

  /// Joins both results of each key and window that has one in both tables. A result that is
  /// corrected on either side corrects the joined one, for as long as the larger allowed lateness
  /// of both lasts.
  ///
  /// The windows of both tables must be equal, and the same for all keys: tumbling, hopping or
  /// calendar windows. See [KeyedStream] for what happens where the tables have different
  /// partitions.
  ///
  /// ```java
  /// ordersOfHour.join("ratio", viewsOfHour, (orders, views) -> 1.0 * orders / views)
  /// ```
  ///
  /// @param joiner a pure function; where it returns null there is no result
  <W, R> WindowedTable<K, R> join(
      String name, WindowedTable<K, W> other, Joiner<? super A, ? super W, ? extends R> joiner);

  /// Joins every result of this table; the joiner gets null where the other table has none for the
  /// key and window. That is known when the watermark reaches the end of the window, so no early
  /// result is joined with null. Otherwise as [#join].
  ///
  /// ```java
  /// ordersOfHour.leftJoin("sold", returnsOfHour, (orders, returns) -> Sold.of(orders, returns))
  /// ```
  <W, R> WindowedTable<K, R> leftJoin(
      String name,
      WindowedTable<K, W> other,
      Joiner<? super A, ? super @Nullable W, ? extends R> joiner);

  /// Joins every result of both tables; either value may be null, not both. Otherwise as
  /// [#leftJoin].
  ///
  /// ```java
  /// ordersOfHour.outerJoin("both", returnsOfHour, (orders, returns) -> Sold.of(orders, returns))
  /// ```
  <W, R> WindowedTable<K, R> outerJoin(
      String name,
      WindowedTable<K, W> other,
      Joiner<? super @Nullable A, ? super @Nullable W, ? extends R> joiner);

  /// Returns a record for each result, under its key, and the retractions of results that are
  /// corrected.
  ///
  /// ```java
  /// ordersOfHour.results(result -> result.key() + ": " + result.value())
  /// ```
  <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper);

  /// Returns the `k` largest results of each window over all keys, the largest first, with ranks
  /// from 1; equal ones are in the unsigned order of their keys' bytes. The results are sent
  /// through an exchange of that name, keyed by window. The records have no key, as no place
  /// belongs to one of the keys.
  ///
  /// The windows have to be the same for all keys: tumbling, hopping or calendar windows. The
  /// values have to be [Comparable]. A type that is known not to be is refused when the topology is
  /// built; a value that turns out not to be is bad input.
  ///
  /// ```java
  /// ordersOfHour.topK("best", 10, ranked -> ranked.rank() + ". " + ranked.key())
  /// ```
  <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper);

  /// Returns the `k` largest results of each window and group, such as a country of shops: each
  /// group is ranked for itself, in one task. The exchange is keyed by group, and so are the
  /// records: up to `k` of a window have one key. Otherwise as [#topK(String, int, Mapper)].
  ///
  /// ```java
  /// ordersOfHour.topK(
  ///     "best-of-country", 10, result -> countryOf(result.key()), ranked -> ranked.key())
  /// ```
  ///
  /// @param group a pure function; null is bad input
  <G, R> KeyedStream<G, R> topK(
      String name,
      int k,
      Mapper<WindowResult<K, A>, ? extends G> group,
      Mapper<Ranked<K, A>, ? extends R> mapper);

  /// A result and its place among those of its window, or of its window and group.
  ///
  /// @param rank from 1
  record Ranked<K, A>(Window window, int rank, K key, A value) {}
}
