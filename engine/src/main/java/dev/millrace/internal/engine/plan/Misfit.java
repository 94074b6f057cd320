package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Meeting;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;

/// An input of a node where records of one key meet, and that has other partitions than the node,
/// or would have a stage feed itself: its records go through an exchange.
///
/// @param side counts the inputs, from 0
/// @param reason in words
record Misfit(Node node, Meeting meeting, int side, String reason) {

  /// The graph with the exchange, called after the operator: `orders-left`.
  ///
  /// @param added how many nodes were added before this one since it was found
  TopologyGraph mend(TopologyGraph graph, int added) {
    Serde<Object> keys = meeting.keySerde();
    Serde<Object> values = meeting.values().get(side).orElse(null);
    String exchange = meeting.exchanges().get(side);
    if (keys == null || values == null) {
      throw new InvalidTopologyException(
          "%s sends its %s side to other tasks, %s, but no serde is known for the values there. Add mapValues(value -> value, serde) before it; for records(), add repartition(name) before those."
              .formatted(meeting.operator(), side == 0 ? "left" : "right", reason));
    }
    return graph.withInputOf(
        graph.nodes().get(node.id() + added),
        side,
        (id, input) -> Node.Exchange.ofOwnKeys(id, exchange, input, null, keys, values, reason));
  }
}
