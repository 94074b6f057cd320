package dev.millrace.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.topology.Node;
import dev.millrace.engine.topology.TopologyGraph;

/// A side of a join that has other partitions than the join: its records go through an exchange.
///
/// @param side counts the join's inputs, from 0
/// @param reason in words
record Misfit(Node.Stateful join, int side, String reason) {

  /// The graph with the exchange, called after the join: `orders-left`.
  TopologyGraph mend(TopologyGraph graph) {
    Serde<Object> keys = join.keySerde();
    Serde<Object> values = join.values().get(side).orElse(null);
    if (keys == null || values == null) {
      throw new InvalidTopologyException(
          "%s '%s' brings its %s side to other partitions, %s, and no serde is known for the values there. Add mapValues(value -> value, serde) before it."
              .formatted(join.kind(), join.name(), side == 0 ? "left" : "right", reason));
    }
    return graph.withInputOf(
        join,
        side,
        (id, input) ->
            Node.Exchange.ofOwnKeys(id, join.sideName(side), input, null, keys, values, reason));
  }
}
