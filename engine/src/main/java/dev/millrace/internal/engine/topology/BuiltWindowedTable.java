package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// The typed front of results by key and window.
///
/// @param place gives the results
record BuiltWindowedTable<K, A>(Deferred<WindowedResults<K, A>> place)
    implements WindowedTable<K, A> {

  @Override
  public WindowedTable<K, A> as(Serde<A> serde) {
    if (place.needsSerde()) {
      place.give(serde, "as");
      return this;
    }
    return new BuiltWindowedTable<>(Deferred.none(place.get().as(serde)));
  }

  @Override
  public WindowedTable<K, A> filter(Predicate<? super A> predicate) {
    return new BuiltWindowedTable<>(Deferred.none(place.get().filter(predicate)));
  }

  @Override
  public <R> WindowedTable<K, R> mapValues(Mapper<? super A, ? extends R> mapper) {
    return new BuiltWindowedTable<>(Deferred.none(place.get().mapValues(mapper)));
  }

  @Override
  public <W, R> WindowedTable<K, R> join(
      String name, WindowedTable<K, W> other, Joiner<? super A, ? super W, ? extends R> joiner) {
    return new WindowedJoin(Join.inner("join", name)).of(place.get(), other, joiner);
  }

  @Override
  public <W, R> WindowedTable<K, R> leftJoin(
      String name,
      WindowedTable<K, W> other,
      Joiner<? super A, ? super @Nullable W, ? extends R> joiner) {
    return new WindowedJoin(Join.left("leftJoin", name)).of(place.get(), other, joiner);
  }

  @Override
  public <W, R> WindowedTable<K, R> outerJoin(
      String name,
      WindowedTable<K, W> other,
      Joiner<? super @Nullable A, ? super @Nullable W, ? extends R> joiner) {
    return new WindowedJoin(Join.outer(name)).of(place.get(), other, joiner);
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
