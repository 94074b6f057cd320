package dev.millrace.internal.engine.topology;

import dev.millrace.api.Grouped;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Table;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// The typed front of what an aggregation keeps, and of what is made of it.
///
/// @param place gives the changes, which take the old value of a key back and give the new one
/// @param history null if its values have no times of their own
record BuiltTable<K, V>(Deferred<BuiltKeyedStream<K, V>> place, @Nullable History history)
    implements Table<K, V> {

  BuiltTable(BuiltKeyedStream<K, V> changes, @Nullable History history) {
    this(Deferred.none(changes), history);
  }

  /// A table whose values follow from several rows, and so have no times of their own.
  BuiltTable(BuiltKeyedStream<K, V> changes) {
    this(changes, null);
  }

  @Override
  public BuiltKeyedStream<K, V> toChangelogStream() {
    return place.get();
  }

  @Override
  public Table<K, V> as(Serde<V> serde) {
    if (place.needsSerde()) {
      place.give(serde, "as");
      return this;
    }
    return new BuiltTable<>((BuiltKeyedStream<K, V>) toChangelogStream().as(serde), history);
  }

  @Override
  public Table<K, V> filter(Predicate<? super V> predicate) {
    return new BuiltTable<>(
        (BuiltKeyedStream<K, V>) toChangelogStream().filter(predicate),
        history == null ? null : history.filter(Erased.predicate(predicate)));
  }

  @Override
  public <R> Table<K, R> mapValues(Mapper<? super V, ? extends R> mapper) {
    return mapped(toChangelogStream().<R>mapValues(mapper), mapper);
  }

  private <R> Table<K, R> mapped(KeyedStream<K, R> mapped, Mapper<?, ?> mapper) {
    return new BuiltTable<>(
        (BuiltKeyedStream<K, R>) mapped,
        history == null ? null : history.mapValues(Erased.mapper(mapper)));
  }

  @Override
  public <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key) {
    return toChangelogStream().groupBy(name, key);
  }

  @Override
  public <W, R> Table<K, R> join(
      String name, Table<K, W> other, Joiner<? super V, ? super W, ? extends R> joiner) {
    return new TableJoin(Join.inner("join", name)).of(toChangelogStream(), other, joiner);
  }

  @Override
  public <W, R> Table<K, R> leftJoin(
      String name, Table<K, W> other, Joiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return new TableJoin(Join.left("leftJoin", name)).of(toChangelogStream(), other, joiner);
  }

  @Override
  public <W, R> Table<K, R> outerJoin(
      String name,
      Table<K, W> other,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner) {
    return new TableJoin(Join.outer(name)).of(toChangelogStream(), other, joiner);
  }

  @Override
  public <F, W, R> Table<K, R> join(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super W, ? extends R> joiner) {
    BuiltKeyedStream<K, V> left = toChangelogStream();
    return new BuiltTable<>(
        left.topology()
            .defer(given ->
                new ForeignKeyJoin(Join.inner("join", name))
                    .of(left, other, foreignKey, joiner, given)),
        null);
  }

  @Override
  public <F, W, R> Table<K, R> leftJoin(
      String name,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    BuiltKeyedStream<K, V> left = toChangelogStream();
    return new BuiltTable<>(
        left.topology()
            .defer(given ->
                new ForeignKeyJoin(Join.left("leftJoin", name))
                    .of(left, other, foreignKey, joiner, given)),
        null);
  }

  @Override
  public Table<K, V> conflated() {
    return new BuiltTable<>(toChangelogStream().conflated(), history);
  }

  @Override
  public KeyedStream<K, V> toStream() {
    return toChangelogStream().withoutRetractions();
  }

  @Override
  public void to(Sink<? super K, V> sink) {
    toChangelogStream().to(sink);
  }

  /// The changes of a table that was handed over.
  static <K, V> BuiltKeyedStream<K, V> changes(Table<K, V> table, String operator) {
    return built(table, operator).toChangelogStream();
  }

  /// A table that was handed over.
  static <K, V> BuiltTable<K, V> built(Table<K, V> table, String operator) {
    if (!(table instanceof BuiltTable<K, V> built)) {
      throw TopologyBuilder.foreign(operator);
    }
    return built;
  }
}
