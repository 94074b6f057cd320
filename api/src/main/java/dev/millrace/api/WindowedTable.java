package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;

/// A result for each key and window. It goes on its way when the watermark reaches the window's
/// end; its event time is that end minus one millisecond.
///
/// A late record within the [allowed lateness][Windows#allowedLateness] corrects it, and so does
/// each [early][Windows#early] result the one before: that one is taken back by a record with the
/// same key, value and event time ([Record#isRetraction]), which goes the way of the first one, and
/// the new one follows. Without an allowed lateness and early results, a result is final.
public interface WindowedTable<K, A> {

  /// Every result as a record under its key.
  <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper);

  <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper, Serde<R> serde);

  /// The `k` largest results of each window over all keys, largest first, ranks from 1; ties by the
  /// unsigned order of the key's bytes. The results travel through an exchange of that name, keyed
  /// by window. The records have no key.
  <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper);

  <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper, Serde<R> serde);
}
