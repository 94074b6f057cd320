package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Source;
import dev.millrace.api.Stream;
import dev.millrace.api.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/// Collects the nodes while an application describes its topology. The streams it hands out add to
/// it and see to it that the types fit.
final class TopologyBuilder implements Topology {
  private final List<Node> nodes = new ArrayList<>();
  private final Set<Integer> keyed = new HashSet<>();
  private final Names names = new Names();
  private boolean complete;

  @Override
  public <V> Stream<V> from(Source<V> source) {
    Node node = add(id -> new Node.Input(id, Erased.source(source), false));
    return new BuiltStream<>(this, node, Typing.known(source.valueSerde(), "the values"));
  }

  @Override
  public <K, V> KeyedStream<K, V> from(KeyedSource<K, V> source) {
    Node node = addKeyed(id -> new Node.Input(id, Erased.source(source), true));
    return new BuiltKeyedStream<>(
        this, node, source.keySerde(), Typing.known(source.valueSerde(), "the values"));
  }

  /// Adds a node whose records are wherever the node before had them.
  <N extends Node> N add(IntFunction<N> withId) {
    if (complete) {
      throw new InvalidTopologyException(
          "The topology is complete: streams can be used only until describe returns.");
    }
    N node = withId.apply(nodes.size());
    nodes.add(node);
    return node;
  }

  /// Adds a node whose records are partitioned by their key.
  <N extends Node> N addKeyed(IntFunction<N> withId) {
    N node = add(withId);
    keyed.add(node.id());
    return node;
  }

  Names names() {
    return names;
  }

  /// Checks that a stream given to another one was made by the same topology.
  void requireOwn(TopologyBuilder other, String operator) {
    if (other != this) {
      throw foreign(operator);
    }
  }

  static InvalidTopologyException foreign(String operator) {
    return new InvalidTopologyException(
        operator
            + " was given a stream of another topology. Streams can be combined only within one"
            + " describe.");
  }

  TopologyGraph complete() {
    complete = true;
    if (nodes.stream().noneMatch(Node.Input.class::isInstance)) {
      throw new InvalidTopologyException(
          "The topology reads nothing. Begin with topology.from(source).");
    }
    if (nodes.stream().noneMatch(Output::isOutput)) {
      throw new InvalidTopologyException(
          "The topology writes nothing. End a stream with to(sink).");
    }
    TopologyGraph graph = new TopologyGraph(nodes, keyed);
    for (Node node : nodes) {
      requireUse(graph, node);
    }
    return graph;
  }

  private static void requireUse(TopologyGraph graph, Node node) {
    if (node instanceof Node.Input input && graph.consumers(node).isEmpty()) {
      throw new InvalidTopologyException(
          "Stream '%s' is read and not used. Use it or remove it."
              .formatted(input.source().stream()));
    }
    if (node instanceof Node.Exchange exchange && graph.consumers(node).isEmpty()) {
      throw new InvalidTopologyException(
          "groupBy '%s' sends records to other tasks where nothing is done with them. Use its result or remove it."
              .formatted(exchange.name()));
    }
  }
}
