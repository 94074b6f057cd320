package dev.millrace.internal.engine.topology;

import dev.millrace.api.function.Mapper;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Counted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Puts [Node.Combine]s into a graph; see [TopologyGraph#combined].
final class Combining {
  private static final String BESIDE = "-beside";

  private final TopologyGraph graph;

  /// The ids of the serdes of values, by the names of exchanges that there were before.
  private final Map<String, String> carried;

  /// By the ids of exchange and operator in the old graph.
  private final Map<Integer, Path> paths = new HashMap<>();

  /// By the ids of exchanges in the old graph, those that get another one beside them.
  private final Map<Integer, Node.Exchange> beside = new HashMap<>();

  private final List<Node> nodes = new ArrayList<>();
  private final Set<Integer> keyed = new TreeSet<>();

  /// An exchange, and the only operator behind it.
  ///
  /// @param key that the exchange gives records
  private record Path(
      Node.Exchange exchange, Mapper<Object, Object> key, Node.Stateful to, Combiner combiner) {}

  private Combining(TopologyGraph graph, Map<String, String> carried) {
    this.graph = graph;
    this.carried = carried;
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange) {
        plan(exchange);
      }
    }
  }

  private void plan(Node.Exchange exchange) {
    boolean carriesAggregates = Counted.isFormat(carried.getOrDefault(exchange.name(), ""));
    Path path = path(exchange, carriesAggregates);
    if (path != null) {
      paths.put(exchange.id(), path);
      paths.put(path.to.id(), path);
    }
    if (carriesAggregates && (path == null || graph.consumers(exchange).size() > 1)) {
      beside.put(exchange.id(), exchange);
    }
  }

  /// An exchange feeds one operator with aggregates if it feeds nothing else; or if it does
  /// already, whatever else it is to feed now.
  private @Nullable Path path(Node.Exchange exchange, boolean carriesAggregates) {
    Mapper<Object, Object> key = exchange.key();
    List<Node> consumers = graph.consumers(exchange);
    if (key == null || (consumers.size() > 1 && !carriesAggregates)) {
      return null;
    }
    for (Node consumer : consumers) {
      if (consumer instanceof Node.Stateful stateful) {
        Combiner combiner = stateful.declared().combiner();
        if (combiner != null
            && (!combiner.conflated() || isConflated(stateful))
            && fits(exchange, combiner)) {
          return new Path(exchange, key, stateful, combiner);
        }
      }
    }
    return null;
  }

  private boolean fits(Node.Exchange exchange, Combiner combiner) {
    String before = carried.get(exchange.name());
    return before == null || before.equals(combiner.format().id());
  }

  private boolean isConflated(Node node) {
    return graph.consumers(node).stream().allMatch(Node.Conflate.class::isInstance);
  }

  static TopologyGraph of(TopologyGraph graph, Map<String, String> carried) {
    Combining combining = new Combining(graph, carried);
    return combining.paths.isEmpty() && combining.beside.isEmpty() ? graph : combining.combined();
  }

  private TopologyGraph combined() {
    List<Node> moved = new ArrayList<>();
    Map<Integer, Node> others = new HashMap<>();
    for (Node node : graph.nodes()) {
      Path path = paths.get(node.id());
      boolean aggregates = path != null && node.id() == path.to.id();
      List<Node> inputs = new ArrayList<>();
      for (Node input : node.inputs()) {
        Node other = aggregates ? null : others.get(input.id());
        inputs.add(other == null ? moved.get(input.id()) : other);
      }
      if (beside.containsKey(node.id())) {
        Node.Exchange other = beside((Node.Exchange) node, inputs.getFirst());
        add(node, other);
        others.put(node.id(), other);
        if (path == null) {
          moved.add(other);
          continue;
        }
      }
      Node copy = path == null ? NodeCopy.of(node, nodes.size(), inputs) : of(path, node, inputs);
      add(node, copy);
      moved.add(copy);
    }
    return new TopologyGraph(nodes, keyed, graph.renames());
  }

  private void add(Node original, Node copy) {
    nodes.add(copy);
    if (graph.keyed(original)) {
      keyed.add(copy.id());
    }
  }

  /// The exchange of all that an exchange is to feed besides the operator that it feeds with
  /// aggregates already.
  private Node.Exchange beside(Node.Exchange exchange, Node input) {
    return new Node.Exchange(
        nodes.size(),
        exchange.name() + BESIDE,
        input,
        exchange.key(),
        exchange.reads(),
        exchange.keySerde(),
        exchange.valueSerde(),
        "because '%s' carries aggregates".formatted(exchange.name()),
        exchange.parameters());
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
