package dev.millrace.internal.engine.topology;

import dev.millrace.api.Broadcast;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.BroadcastJoinOperator;
import java.util.List;

/// Adds a join of a stream with a broadcast table to a topology.
record BroadcastLookup(Join join) {

  Node of(
      AnyStream<?, ?, ?> stream, Broadcast<?, ?> table, Mapper<?, ?> key, Joiner<?, ?, ?> joiner) {
    BuiltBroadcast<?, ?> other = take(stream.topology(), stream.node(), table);
    Declaration declared = declare(other, key, joiner);
    return stream.add(id ->
        new Node.Stateful(
            id,
            join.name(),
            join.kind(),
            List.of(stream.node(), other.node()),
            stream.keys(),
            declared));
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
}
