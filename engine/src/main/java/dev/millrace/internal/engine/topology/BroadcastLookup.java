package dev.millrace.internal.engine.topology;

import dev.millrace.api.Broadcast;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.BroadcastJoinOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of a stream with a broadcast table to a topology.
record BroadcastLookup(Join join) {

  <R> Stream<R> of(
      BuiltStream<?> stream,
      Broadcast<?, ?> table,
      Mapper<?, ?> key,
      Joiner<?, ?, ? extends R> joiner) {
    TopologyBuilder topology = stream.topology();
    BuiltBroadcast<?, ?> other = take(topology, stream.node(), table);
    Declaration declared = declare(other, key, joiner);
    Node added = topology.add(id -> node(id, stream.node(), other, null, declared));
    return new BuiltStream<>(topology, added, join.results(joiner));
  }

  <K, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> stream,
      Broadcast<?, ?> table,
      Mapper<?, ?> key,
      Joiner<?, ?, ? extends R> joiner) {
    TopologyBuilder topology = stream.topology();
    BuiltBroadcast<?, ?> other = take(topology, stream.node(), table);
    Declaration declared = declare(other, key, joiner);
    Serde<Object> keys = Erased.serde(stream.keySerde());
    Node added = topology.addKeyed(id -> node(id, stream.node(), other, keys, declared));
    return new BuiltKeyedStream<>(topology, added, stream.keySerde(), join.results(joiner));
  }

  private BuiltBroadcast<?, ?> take(TopologyBuilder topology, Node stream, Broadcast<?, ?> table) {
    if (!(table instanceof BuiltBroadcast<?, ?> built)) {
      throw TopologyBuilder.foreign(join.operator());
    }
    topology.requireOwn(built.topology(), join.operator());
    topology.requireFinal(stream, join.operator());
    topology.names().takeOperator(join.kind(), join.name());
    return built;
  }

  private Declaration declare(
      BuiltBroadcast<?, ?> table, Mapper<?, ?> key, Joiner<?, ?, ?> joiner) {
    return BroadcastJoinOperator.declare(
        table.store(), table.keySerde(), Erased.mapper(key), join.function(joiner));
  }

  private Node node(
      int id,
      Node stream,
      BuiltBroadcast<?, ?> table,
      @Nullable Serde<Object> keys,
      Declaration declared) {
    return new Node.Stateful(
        id, join.name(), join.kind(), List.of(stream, table.node()), keys, declared);
  }
}
