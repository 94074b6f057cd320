package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.Stream;
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

  <R> Stream<R> of(BuiltStream<?> stream, Mapper<?, ?> key, Joiner<?, ?, ? extends R> joiner) {
    TopologyBuilder topology = stream.topology();
    Declaration declared =
        declare(topology, stream.node(), stream.typing(), keyOfValue(key), joiner);
    Node added = topology.add(id -> node(id, stream.node(), null, declared));
    return new BuiltStream<>(topology, added, join.results(joiner));
  }

  /// @param key null if it is the records' own
  <K, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> stream, @Nullable Mapper<?, ?> key, Joiner<?, ?, ? extends R> joiner) {
    TopologyBuilder topology = stream.topology();
    Serde<Object> keys = Erased.serde(stream.keySerde());
    RemoteTableOperators.KeyOfRow keyOf = key == null ? ownKey(keys) : keyOfValue(key);
    Declaration declared = declare(topology, stream.node(), stream.typing(), keyOf, joiner);
    Node added = topology.addKeyed(id -> node(id, stream.node(), keys, declared));
    return new BuiltKeyedStream<>(topology, added, stream.keySerde(), join.results(joiner));
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

  private Node node(int id, Node input, @Nullable Serde<Object> keys, Declaration declared) {
    String kind = join.kind() + " with remote " + table.name();
    return new Node.Stateful(id, join.name(), kind, List.of(input), keys, declared);
  }
}
