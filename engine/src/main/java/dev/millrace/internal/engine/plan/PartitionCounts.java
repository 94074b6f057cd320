package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.internal.engine.topology.Meeting;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Finds how many partitions each stage and exchange has.
///
/// A stage has as many as the widest stream it reads, exchanges included, and every exchange that
/// leads to it has as many as the stage: as its setting says, or else as the stages have that send
/// to it, unless a stream with the same keys is merged with it. Where sides of a join have other
/// partitions, one of them needs an exchange: a [Misfit].
final class PartitionCounts {
  private final TopologyGraph graph;
  private final Map<String, Integer> streams;
  private final Map<String, Integer> exchanges;

  /// By the exchange's id.
  private final int[] ofExchanges;

  private final List<Misfit> misfits = new ArrayList<>();

  /// Sides of nodes whose sides are equal but for those that were moved. Their stage may have other
  /// partitions once all others are mended, so those come first.
  private final List<Misfit> later = new ArrayList<>();

  private @Nullable InvalidTopologyException refused;

  /// @param streams partitions by stream
  /// @param exchanges partitions by exchange name, where they are set
  PartitionCounts(
      TopologyGraph graph, Map<String, Integer> streams, Map<String, Integer> exchanges) {
    this.graph = graph;
    this.streams = streams;
    this.exchanges = exchanges;
    ofExchanges = new int[graph.nodes().size()];
  }

  /// The sides to be moved next, in the order of their nodes; none if all meet. Stages have been
  /// asked for.
  ///
  /// @throws InvalidTopologyException if sides do not meet and that cannot be mended
  List<Misfit> misfits() {
    List<Misfit> found = !misfits.isEmpty() || later.isEmpty() ? misfits : later.subList(0, 1);
    if (found.isEmpty() && refused != null) {
      throw refused;
    }
    return found.stream().sorted(Comparator.comparingInt(misfit -> misfit.node().id())).toList();
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
      if (node instanceof Node.Input input && !input.broadcast()) {
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
    nodes.forEach(this::compare);
    return widest;
  }

  int ofStream(String stream) {
    Integer partitions = streams.get(stream);
    if (partitions == null) {
      throw new InvalidTopologyException(
          "Stream '%s' does not exist. Create it, or declare partitions(n) for it, so that it is created."
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
      refuse(
          "Exchange '%s' is set to %d partitions, but the stage after it has %d. Set it to %d, or remove the setting."
              .formatted(exchange.name(), setting, partitions, partitions));
    }
  }

  /// Refuses settings of exchanges that there are not, in the end.
  void requireExchangesExist() {
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

  /// Looks whether the sides of a node have equal partitions.
  private void compare(Node node) {
    if (!meets(node)) {
      return;
    }
    List<Node> origins = sides(node).stream().map(PartitionCounts::origin).toList();
    Node left = origins.getFirst();
    for (Node right : origins) {
      if (ofOrigin(left) != ofOrigin(right)) {
        found(node, origins, left, right);
        return;
      }
    }
  }

  private void found(Node node, List<Node> origins, Node left, Node right) {
    Meeting meeting = node.meeting();
    List<Integer> unmoved =
        meeting == null
            ? List.of()
            : IntStream.range(0, origins.size())
                .filter(side -> !meeting.isMoved(node, side))
                .boxed()
                .toList();
    if (meeting == null || unmoved.isEmpty()) {
      refuse(node, left, right);
      return;
    }
    List<Integer> sides = narrower(node, origins, unmoved);
    if (sides.isEmpty()) {
      later.add(misfit(node, meeting, origins, unmoved.getFirst()));
    }
    for (int side : sides) {
      misfits.add(misfit(node, meeting, origins, side));
    }
  }

  /// What has to be moved: of a table and what looks it up, the latter; otherwise all that have
  /// fewer partitions than the widest. None if those that were not moved are equal.
  private List<Integer> narrower(Node node, List<Node> origins, List<Integer> unmoved) {
    int widest = widest(unmoved.stream().map(origins::get).toList());
    List<Integer> narrower =
        unmoved.stream().filter(side -> ofOrigin(origins.get(side)) < widest).toList();
    boolean looksUp = node instanceof Node.Stateful join && join.declared().waitsForTable();
    return looksUp && !narrower.isEmpty() ? List.of(0) : narrower;
  }

  private int widest(List<Node> origins) {
    return origins.stream().mapToInt(this::ofOrigin).max().orElse(0);
  }

  private Misfit misfit(Node node, Meeting meeting, List<Node> origins, int side) {
    return new Misfit(node, meeting, side, reason(origins, side));
  }

  /// Why a side is moved: the first of the widest, or else of the others that it does not meet.
  private String reason(List<Node> origins, int side) {
    int own = ofOrigin(origins.get(side));
    int widest = widest(origins);
    int other = 0;
    while (own == widest
        ? ofOrigin(origins.get(other)) == own
        : ofOrigin(origins.get(other)) != widest) {
      other++;
    }
    Node left = origins.get(Math.min(side, other));
    Node right = origins.get(Math.max(side, other));
    return "because '%s' has %s and '%s' has %d"
        .formatted(
            text(left), PlanText.count(ofOrigin(left), "partition"), text(right), ofOrigin(right));
  }

  private void refuse(Node node, Node left, Node right) {
    refuse(
        "%s has keyed streams with different numbers of partitions: '%s' has %d and '%s' has %d, so records of one key would not be in the same task. Add repartition(name) to one of them, or give both the same number."
            .formatted(
                PlanText.verb(node), text(left), ofOrigin(left), text(right), ofOrigin(right)));
  }

  /// Joins that are mended may make it right.
  private void refuse(String message) {
    if (refused == null) {
      refused = new InvalidTopologyException(message);
    }
  }

  /// Whether records of one key come together here from several sides.
  private boolean meets(Node node) {
    return graph.keyed(node) && sides(node).size() > 1;
  }

  /// The inputs whose records are in one task only.
  private static List<Node> sides(Node node) {
    return node.inputs().stream().filter(input -> !input.broadcast()).toList();
  }

  /// Whether keys decide that an exchange is as wide as a stream.
  private boolean mergesExchangeWithStream(Node node) {
    if (!meets(node)) {
      return false;
    }
    long exchanges =
        sides(node).stream().filter(input -> origin(input) instanceof Node.Exchange).count();
    return exchanges > 0 && exchanges < sides(node).size();
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

  /// What a source or an exchange is called.
  static String text(Node origin) {
    return switch (origin) {
      case Node.Input input -> input.source().stream();
      case Node.Exchange exchange -> exchange.name();
      default -> throw new AssertionError(origin.id());
    };
  }
}
