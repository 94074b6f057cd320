package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.Table;
import dev.millrace.api.With;
import dev.millrace.api.function.Joiner;

/// Adds the join of a stream with what a [With] describes to a topology.
///
/// @param inner whether there is no result where there is nothing to join with
record DescribedJoin(String name, boolean inner) {

  <R> Stream<R> of(BuiltStream<?> stream, With<?, ?, ?> with, Joiner<?, ?, ? extends R> joiner) {
    Join join = join("");
    if (!(with instanceof With.Lookup<?, ?> lookup)) {
      throw new InvalidTopologyException(
          "%s is given a stream without keys, and joins by the keys of its records. Give the stream keys with groupBy(name, key).stream(), or join with what is looked up by a key from the value: broadcast(table, key) or remote(table, key)."
              .formatted(join.operator()));
    }
    return new BuiltStream<>(
        stream.topology(), lookUp(join, stream, lookup, joiner), join.results(joiner));
  }

  <K, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> stream, With<?, ?, ?> with, Joiner<?, ?, ? extends R> joiner) {
    Join join = join("");
    return switch (with) {
      case With.OfTable<?, ?> table ->
          new TableLookup(join).of(stream, sameKeys(stream, table.table()), joiner);
      case With.OfTableAsOf<?, ?> table ->
          new AsOfLookup(join("AsOf"), table.lateness())
              .of(stream, sameKeys(stream, table.table()), joiner);
      case With.OfStream<?, ?> other ->
          new StreamJoin(join, other.within()).of(stream, sameKeys(stream, other.stream()), joiner);
      case With.OfRemote<?, ?> remote ->
          stream.results(
              new RemoteLookup(join, remote.table()).of(stream, joiner), join.results(joiner));
      case With.Lookup<?, ?> lookup ->
          stream.results(lookUp(join, stream, lookup, joiner), join.results(joiner));
    };
  }

  private static Node lookUp(
      Join join, AnyStream<?, ?, ?> stream, With.Lookup<?, ?> with, Joiner<?, ?, ?> joiner) {
    return switch (with) {
      case With.Lookup.OfBroadcast<?, ?, ?> broadcast ->
          new BroadcastLookup(join).of(stream, broadcast.table(), broadcast.key(), joiner);
      case With.Lookup.OfRemote<?, ?, ?> remote ->
          new RemoteLookup(join, remote.table()).of(stream, remote.key(), joiner);
    };
  }

  static <K, R> KeyedStream<K, R> outer(
      String name,
      BuiltKeyedStream<K, ?> stream,
      With.OfStream<?, ?> with,
      Joiner<?, ?, ? extends R> joiner) {
    return new StreamJoin(Join.outer(name), with.within())
        .of(stream, sameKeys(stream, with.stream()), joiner);
  }

  /// @param when a part of the kind, which plans show
  private Join join(String when) {
    return inner ? Join.inner("join" + when, name) : Join.left("leftJoin" + when, name);
  }

  @SuppressWarnings({"unchecked", "unused"}) // the method of the API takes only such tables
  private static <K> Table<K, Object> sameKeys(BuiltKeyedStream<K, ?> stream, Table<?, ?> table) {
    return (Table<K, Object>) table;
  }

  @SuppressWarnings({"unchecked", "unused"}) // the method of the API takes only such streams
  private static <K> KeyedStream<K, Object> sameKeys(
      BuiltKeyedStream<K, ?> stream, KeyedStream<?, ?> other) {
    return (KeyedStream<K, Object>) other;
  }
}
