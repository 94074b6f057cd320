package dev.millrace.internal.engine.topology;

import dev.millrace.api.function.Mapper;
import dev.millrace.internal.engine.operators.Combiner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Puts [Node.Combine]s into a graph; see [TopologyGraph#combined].
final class Combining {
  private final TopologyGraph graph;

  /// By the ids of exchange and operator in the old graph.
  private final Map<Integer, Path> paths = new HashMap<>();

  private final List<Node> nodes = new ArrayList<>();
  private final Set<Integer> keyed = new TreeSet<>();

  /// An exchange, and the only operator behind it.
  ///
  /// @param key that the exchange gives records
  private record Path(
      Node.Exchange exchange, Mapper<Object, Object> key, Node.Stateful to, Combiner combiner) {}

  private Combining(TopologyGraph graph) {
    this.graph = graph;
    for (Node node : graph.nodes()) {
      Path path = node instanceof Node.Exchange exchange ? path(exchange) : null;
      if (path != null) {
        paths.put(path.exchange.id(), path);
        paths.put(path.to.id(), path);
      }
    }
  }

  private @Nullable Path path(Node.Exchange exchange) {
    Mapper<Object, Object> key = exchange.key();
    List<Node> consumers = graph.consumers(exchange);
    if (key != null
        && consumers.size() == 1
        && consumers.getFirst() instanceof Node.Stateful stateful) {
      Combiner combiner = stateful.declared().combiner();
      if (combiner != null && (!combiner.conflated() || isConflated(stateful))) {
        return new Path(exchange, key, stateful, combiner);
      }
    }
    return null;
  }

  private boolean isConflated(Node node) {
    return graph.consumers(node).stream().allMatch(Node.Conflate.class::isInstance);
  }

  static TopologyGraph of(TopologyGraph graph) {
    Combining combining = new Combining(graph);
    return combining.paths.isEmpty() ? graph : combining.combined();
  }

  private TopologyGraph combined() {
    List<Node> moved = new ArrayList<>();
    for (Node node : graph.nodes()) {
      List<Node> inputs = new ArrayList<>();
      node.inputs().forEach(input -> inputs.add(moved.get(input.id())));
      Path path = paths.get(node.id());
      Node copy = path == null ? NodeCopy.of(node, nodes.size(), inputs) : of(path, node, inputs);
      nodes.add(copy);
      moved.add(copy);
      if (graph.keyed(node)) {
        keyed.add(copy.id());
      }
    }
    return new TopologyGraph(nodes, keyed);
  }

  /// An exchange, or the operator behind it, as it is with aggregates between them.
  private Node of(Path path, Node node, List<Node> inputs) {
    Combiner combiner = path.combiner;
    Node.Stateful to = path.to;
    if (node.id() == to.id()) {
      return new Node.Stateful(
          nodes.size(),
          to.name(),
          to.kind(),
          inputs,
          to.keySerde(),
          combiner.declared(),
          to.values());
    }
    Node.Exchange exchange = path.exchange;
    Node combine =
        new Node.Combine(
            nodes.size(),
            inputs.getFirst(),
            exchange.name(),
            path.key,
            exchange.keySerde(),
            to.kind() + " '" + to.name() + "'",
            combiner);
    nodes.add(combine);
    return new Node.Exchange(
        nodes.size(),
        exchange.name(),
        combine,
        null,
        null,
        exchange.keySerde(),
        combiner.format(),
        exchange.reason(),
        exchange.parameters());
  }
}
