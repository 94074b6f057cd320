package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Start;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// Cuts a graph at its exchanges into stages, and puts these into an order in which a stage stands
/// behind those that feed it.
///
/// In one stage are the nodes that hang together without an exchange, the nodes behind one
/// exchange, and the readers of one stream: so every partition of a stream is read by one task. A
/// broadcast table holds nothing together: it is in every stage that looks something up in it.
/// Stages that do not depend on each other stand in the order of their first nodes.
final class StageCut {
  private final TopologyGraph graph;
  private final int[] parents;

  private StageCut(TopologyGraph graph) {
    this.graph = graph;
    parents = new int[graph.nodes().size()];
    Arrays.setAll(parents, id -> id);
  }

  static StageCut of(TopologyGraph graph) {
    StageCut cut = new StageCut(graph);
    cut.uniteNeighbours();
    cut.uniteReadersOfOneStream();
    return cut;
  }

  private void uniteNeighbours() {
    for (Node node : graph.nodes()) {
      List<Node> consumers = graph.consumers(node);
      for (Node consumer : consumers) {
        if (consumer.broadcast() == node.broadcast()) {
          unite(consumer, node instanceof Node.Exchange ? consumers.getFirst() : node);
        }
      }
    }
  }

  private void uniteReadersOfOneStream() {
    TreeMap<String, Node.Input> readers = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Input input) {
        Node.Input other = readers.putIfAbsent(input.source().stream(), input);
        if (other != null) {
          requireSameReading(other, input);
          if (!input.broadcast()) {
            unite(other, input);
          }
        }
      }
    }
  }

  private static void requireSameReading(Node.Input first, Node.Input second) {
    Source<Object> one = first.source();
    Source<Object> other = second.source();
    if (first.broadcast() != second.broadcast()) {
      throw new InvalidTopologyException(
          "Stream '%s' is read both as a broadcast table, by every task, and otherwise, by one task for each partition. Read it in one of these ways, or copy it to another topic and read that one in the other way."
              .formatted(one.stream()));
    }
    boolean outside = one.isExternal() || other.isExternal();
    if (outside && !one.equals(other)) {
      throw new InvalidTopologyException(
          "Two sources have the name '%s'. Give one of them another name, or call from(...) once and use its result twice."
              .formatted(one.stream()));
    }
    List<String> differing = differing(one, other);
    if (startsDiffer(first, second)) {
      differing.addFirst("start");
    }
    if (!differing.isEmpty()) {
      throw new InvalidTopologyException(
          "Stream '%s' is read twice, with different values of %s. Describe it once, in a variable, and use that twice."
              .formatted(one.stream(), String.join(" and another ", differing)));
    }
  }

  /// A stream that does not say where it begins goes with a table of the same topic, which begins
  /// at its earliest record.
  private static boolean startsDiffer(Node.Input first, Node.Input second) {
    Start one = first.start();
    Start other = second.start();
    boolean goesWithTable = first.table() != second.table() && (one == null || other == null);
    return !goesWithTable && !Objects.equals(one, other);
  }

  private static List<String> differing(Source<Object> one, Source<Object> other) {
    List<String> differing = new ArrayList<>();
    if (one.bounded() != other.bounded()) {
      differing.add("end");
    }
    if (!Objects.equals(one.eventTime(), other.eventTime())) {
      differing.add("event time");
    }
    if (!one.disorder().equals(other.disorder())) {
      differing.add("disorder");
    }
    if (!Objects.equals(one.watermark(), other.watermark())) {
      differing.add("watermark");
    }
    return differing;
  }

  /// The nodes of each stage, those that feed others first.
  ///
  /// @throws IllegalStateException if a stage feeds itself in the end, see [Circle]
  List<List<Node>> stages() {
    List<List<Node>> waiting = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (first(node) == node.id() && !node.broadcast()) {
        waiting.add(graph.nodes().stream().filter(each -> first(each) == node.id()).toList());
      }
    }
    List<List<Node>> ordered = new ArrayList<>();
    while (!waiting.isEmpty()) {
      List<Node> next =
          waiting.stream()
              .filter(stage -> !awaits(stage, waiting))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("Stages that feed themselves."));
      waiting.remove(next);
      ordered.add(next);
    }
    return ordered.stream().map(this::withBroadcasts).toList();
  }

  private List<Node> withBroadcasts(List<Node> stage) {
    TreeSet<Integer> ids = new TreeSet<>();
    stage.forEach(node -> add(node, ids));
    return ids.stream().map(graph.nodes()::get).toList();
  }

  private static void add(Node node, TreeSet<Integer> ids) {
    ids.add(node.id());
    node.inputs().stream().filter(Node::broadcast).forEach(input -> add(input, ids));
  }

  /// Whether an exchange leads to a stage from one of those that wait.
  private boolean awaits(List<Node> stage, List<List<Node>> waiting) {
    return stage.stream()
        .flatMap(node -> node.inputs().stream())
        .filter(Node.Exchange.class::isInstance)
        .anyMatch(exchange ->
            waiting.stream().anyMatch(other -> other.getFirst().id() == first(exchange)));
  }

  /// The least id in the stage that an exchange leads to.
  int firstBehind(Node.Exchange exchange) {
    return first(graph.consumers(exchange).getFirst());
  }

  /// The least id in the stage of a node.
  int first(Node node) {
    int id = node.id();
    while (parents[id] != id) {
      id = parents[id];
    }
    return id;
  }

  private void unite(Node one, Node other) {
    int first = first(one);
    int second = first(other);
    parents[Math.max(first, second)] = Math.min(first, second);
  }
}
