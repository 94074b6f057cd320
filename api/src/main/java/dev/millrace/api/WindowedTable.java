package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;

/// A result for each key and window. It is final, and goes on its way once, when the watermark
/// reaches the window's end; its event time is the window's end minus one millisecond.
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
