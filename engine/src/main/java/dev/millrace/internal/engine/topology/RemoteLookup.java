package dev.millrace.internal.engine.topology;

import dev.millrace.api.RemoteTable;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.outside.RemoteTableOperators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of a stream with a remote table to a topology.
record RemoteLookup(Join join, RemoteTable<?, ?> table) {

  /// By a key that the record's value gives.
  Node of(AnyStream<?, ?, ?> stream, Mapper<?, ?> key, Joiner<?, ?, ?> joiner) {
    return of(stream, keyOfValue(key), joiner);
  }

  /// By the record's own key.
  Node of(BuiltKeyedStream<?, ?> stream, Joiner<?, ?, ?> joiner) {
    return of(stream, ownKey(stream.keys()), joiner);
  }

  private Node of(
      AnyStream<?, ?, ?> stream, RemoteTableOperators.KeyOfRow keyOf, Joiner<?, ?, ?> joiner) {
    Declaration declared =
        declare(stream.topology(), stream.node(), stream.typing(), keyOf, joiner);
    String kind = join.kind() + " with remote " + table.name();
    return stream.add(id ->
        new Node.Stateful(id, join.name(), kind, List.of(stream.node()), stream.keys(), declared));
  }

  private static RemoteTableOperators.KeyOfRow keyOfValue(Mapper<?, ?> key) {
    Mapper<Object, Object> erased = Erased.mapper(key);
    return (_, value) -> erased.map(value);
  }

  private static RemoteTableOperators.KeyOfRow ownKey(Serde<Object> keys) {
    return (@Nullable Bytes key, Object _) -> {
      if (key == null) {
        throw new IllegalArgumentException(
            "The record has no key, and it is joined by its key; key it, or filter it out before.");
      }
      return keys.read(key.copy());
    };
  }

  private Declaration declare(
      TopologyBuilder topology,
      Node input,
      Typing typing,
      RemoteTableOperators.KeyOfRow keyOf,
      Joiner<?, ?, ?> joiner) {
    topology.names().takeOperator(join.kind(), join.name());
    topology.requireFinal(input, join.operator());
    Declaration declared =
        RemoteTableOperators.read(
            join.operator(),
            join.name(),
            Erased.call(table.get()),
            typing.valueSerde(
                topology.serdes(), join.operator() + " keeps", LambdaTypes.parameter(joiner, 0)),
            keyOf,
            join.function(joiner));
    topology.takeStores(join.operator(), declared);
    return declared;
  }
}
