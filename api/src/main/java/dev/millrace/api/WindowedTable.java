package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;

/// A result for each key and window. It goes on its way when the watermark reaches the window's
/// end; its event time is that end minus one millisecond.
///
/// A late record within the [allowed lateness][Windows#allowedLateness] corrects it, and so does
/// each [early][Windows#early] result the one before: that one is taken back by a record with the
/// same key, value and event time ([Record#isRetraction]), which goes the way of the first one, and
/// the new one follows. Without an allowed lateness and early results, a result is final.
public interface WindowedTable<K, A> {

  /// Returns the same results, and says how their values are encoded in the store of the operator
  /// and where they are sent. It comes right behind the operator.
  ///
  /// ```java
  /// visits.groupByKey().window(tumbling(ofHours(1))).aggregate("hourly", visitors).as(sketches)
  /// ```
  WindowedTable<K, A> as(Serde<A> serde);

  /// Every result as a record under its key.
  <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper);

  /// The `k` largest results of each window over all keys, largest first, ranks from 1; ties by the
  /// unsigned order of the key's bytes. The results travel through an exchange of that name, keyed
  /// by window. The records have no key, as no place belongs to one of the keys.
  ///
  /// The windows have to be the same for all keys: tumbling, hopping or calendar windows. The
  /// results have to be [Comparable]. What is known not to be is refused as the topology is built;
  /// what turns out not to be is bad input.
  <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper);

  /// The `k` largest results of each window and group, such as a country of shops, otherwise in the
  /// same way: ranked apart, each group in one task. The exchange is keyed by group, and so are the
  /// records: up to `k` of a window have one key.
  ///
  /// @param group a pure function; null is bad input
  <G, R> KeyedStream<G, R> topK(
      String name,
      int k,
      Mapper<WindowResult<K, A>, ? extends G> group,
      Mapper<Ranked<K, A>, ? extends R> mapper);
}
