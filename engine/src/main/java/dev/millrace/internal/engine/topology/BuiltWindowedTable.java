package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.Ranked;
import dev.millrace.api.Stream;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;

/// The typed front of results by key and window.
///
/// @param place gives the results
record BuiltWindowedTable<K, A>(Deferred<WindowedResults<K, A>> place)
    implements WindowedTable<K, A> {

  @Override
  public WindowedTable<K, A> as(Serde<A> serde) {
    place.give(serde, "as");
    return this;
  }

  @Override
  public <R> KeyedStream<K, R> results(Mapper<WindowResult<K, A>, ? extends R> mapper) {
    return place.get().results(mapper);
  }

  @Override
  public <R> Stream<R> topK(String name, int k, Mapper<Ranked<K, A>, ? extends R> mapper) {
    return place.get().topK(name, k, mapper);
  }

  @Override
  public <G, R> KeyedStream<G, R> topK(
      String name,
      int k,
      Mapper<WindowResult<K, A>, ? extends G> group,
      Mapper<Ranked<K, A>, ? extends R> mapper) {
    return place.get().topK(name, k, group, mapper);
  }
}
