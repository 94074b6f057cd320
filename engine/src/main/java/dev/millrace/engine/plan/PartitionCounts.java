package dev.millrace.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.engine.topology.Node;
import dev.millrace.engine.topology.TopologyGraph;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/// Finds how many partitions each stage and exchange has.
///
/// A stage has as many as the widest stream it reads, exchanges included, and every exchange that
/// leads to it has as many as the stage: as its setting says, or else as the stages have that send
/// to it, unless a stream with the same keys is merged with it.
final class PartitionCounts {
  private final TopologyGraph graph;
  private final Map<String, Integer> streams;
  private final Map<String, Integer> exchanges;

  /// By the exchange's id.
  private final int[] ofExchanges;

  /// @param streams partitions by stream
  /// @param exchanges partitions by exchange name, where they are set
  PartitionCounts(
      TopologyGraph graph, Map<String, Integer> streams, Map<String, Integer> exchanges) {
    this.graph = graph;
    this.streams = streams;
    this.exchanges = exchanges;
    ofExchanges = new int[graph.nodes().size()];
    requireExchangesExist();
  }

  /// The partitions of a stage. Stages are asked for in their order.
  ///
  /// @param nodes those of the stage
  /// @param received the exchanges that lead to it
  /// @param sending gives the partitions of the stage an exchange comes from
  int ofStage(
      List<Node> nodes, List<Node.Exchange> received, ToIntFunction<Node.Exchange> sending) {
    int widest = 0;
    for (Node node : nodes) {
      if (node instanceof Node.Input input) {
        widest = Math.max(widest, ofStream(input.source().stream()));
      }
    }
    boolean decided = nodes.stream().anyMatch(this::mergesExchangeWithStream);
    for (Node.Exchange exchange : received) {
      Integer setting = exchanges.get(exchange.name());
      decided |= setting != null;
      widest = Math.max(widest, setting == null ? 0 : setting);
    }
    for (Node.Exchange exchange : received) {
      widest = decided ? widest : Math.max(widest, sending.applyAsInt(exchange));
    }
    for (Node.Exchange exchange : received) {
      requireSetting(exchange, widest);
      ofExchanges[exchange.id()] = widest;
    }
    nodes.forEach(this::requireCopartitioned);
    return widest;
  }

  int ofStream(String stream) {
    Integer partitions = streams.get(stream);
    if (partitions == null) {
      throw new InvalidTopologyException(
          "Stream '%s' was not found. Create it, or describe it with partitions(n) to have it created."
              .formatted(stream));
    }
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "Stream '%s' cannot have %d partitions.".formatted(stream, partitions));
    }
    return partitions;
  }

  private void requireSetting(Node.Exchange exchange, int partitions) {
    Integer setting = exchanges.get(exchange.name());
    if (setting != null && setting != partitions) {
      throw new InvalidTopologyException(
          "Exchange '%s' is set to %d partitions, and the stage it leads to has %d. Set it to %d or leave it out."
              .formatted(exchange.name(), setting, partitions, partitions));
    }
  }

  private void requireExchangesExist() {
    TreeSet<String> known = new TreeSet<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange) {
        known.add(exchange.name());
      }
    }
    new TreeMap<>(exchanges)
        .forEach((name, partitions) -> requireExchange(known, name, partitions));
  }

  private static void requireExchange(TreeSet<String> known, String name, int partitions) {
    if (!known.contains(name)) {
      throw new InvalidTopologyException(
          "Partitions are set for exchange '%s', which does not exist; there %s."
              .formatted(name, known.isEmpty() ? "are none" : "are " + String.join(", ", known)));
    }
    if (partitions < 1) {
      throw new InvalidTopologyException(
          "Exchange '%s' cannot have %d partitions; give at least 1.".formatted(name, partitions));
    }
  }

  private void requireCopartitioned(Node node) {
    if (!meets(node)) {
      return;
    }
    Node left = origin(node.inputs().getFirst());
    for (Node input : node.inputs()) {
      Node right = origin(input);
      if (ofOrigin(left) != ofOrigin(right)) {
        throw new InvalidTopologyException(
            "%s was given keyed streams with different numbers of partitions: '%s' has %d and '%s' has %d, so records of one key would not meet. Bring one of them through groupBy(name, key), or give both as many."
                .formatted(
                    PlanText.verb(node), text(left), ofOrigin(left), text(right), ofOrigin(right)));
      }
    }
  }

  /// Whether records of one key come together here from several sides.
  private boolean meets(Node node) {
    return node.inputs().size() > 1 && graph.keyed(node);
  }

  /// Whether keys decide that an exchange is as wide as a stream.
  private boolean mergesExchangeWithStream(Node node) {
    if (!meets(node)) {
      return false;
    }
    long exchanges =
        node.inputs().stream().filter(input -> origin(input) instanceof Node.Exchange).count();
    return exchanges > 0 && exchanges < node.inputs().size();
  }

  /// Where the keys of a keyed node were given their partitions.
  private static Node origin(Node node) {
    Node at = node;
    while (!(at instanceof Node.Input) && !(at instanceof Node.Exchange)) {
      at = at.inputs().getFirst();
    }
    return at;
  }

  private int ofOrigin(Node origin) {
    return origin instanceof Node.Input input
        ? ofStream(input.source().stream())
        : ofExchanges[origin.id()];
  }

  private static String text(Node origin) {
    return switch (origin) {
      case Node.Input input -> input.source().stream();
      case Node.Exchange exchange -> exchange.name();
      default -> throw new AssertionError(origin.id());
    };
  }
}
