package dev.millrace.internal.engine.plan;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.internal.engine.topology.Meeting;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds stages that would feed themselves, and what has to go through an exchange so that they do
/// not.
///
/// Nodes never feed themselves, as each is made of earlier ones. Stages would where a node brings
/// records that come back through an exchange together with others that have not left: a table that
/// is joined with itself by a foreign key. The others then go through an exchange as well, and the
/// node is in a stage behind. There is such a node in every circle: if every node of its stages got
/// records only of one of the two kinds, each of these stages would get only what comes back, also
/// the first node of all, which nothing comes back to.
final class Circle {
  private final TopologyGraph graph;
  private final StageCut cut;

  /// By the id of an exchange that is part of a circle, its name.
  private final Map<Integer, String> exchanges = new HashMap<>();

  /// By the id of a node whose records come from an exchange of a circle, the name of that.
  private final Map<Integer, String> comeBack = new HashMap<>();

  private Circle(TopologyGraph graph, StageCut cut) {
    this.graph = graph;
    this.cut = cut;
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange && isPartOfCircle(exchange)) {
        exchanges.put(exchange.id(), exchange.name());
      }
    }
    for (Node node : graph.nodes()) {
      for (Node input : node.inputs()) {
        String exchange = comesBack(input);
        if (exchange != null) {
          comeBack.putIfAbsent(node.id(), exchange);
        }
      }
    }
  }

  /// The exchange of a circle that the records of an input come from.
  private @Nullable String comesBack(Node input) {
    return input instanceof Node.Exchange ? exchanges.get(input.id()) : comeBack.get(input.id());
  }

  /// The side that is to be moved next, so that in the end no stage feeds itself.
  ///
  /// @return null if none does
  /// @throws InvalidTopologyException if it cannot be moved; the message names the streams and the
  ///   way round
  static @Nullable Misfit sideToMove(TopologyGraph graph, StageCut cut) {
    Circle circle = new Circle(graph, cut);
    return circle.exchanges.isEmpty() ? null : circle.sideToMove();
  }

  private Misfit sideToMove() {
    Misfit found = null;
    InvalidTopologyException refused = null;
    for (Node node : graph.nodes()) {
      String exchange = comeBack.get(node.id());
      int side = exchange == null ? -1 : tiedSide(node, input -> comesBack(input) == null);
      if (exchange != null && side >= 0 && found == null) {
        found = movable(node, side, exchange);
        refused = refused == null ? refused(node, side, exchange) : refused;
      }
    }
    found = found == null ? anyTiedSide(this::feedsCircle) : found;
    found = found == null ? anyTiedSide(_ -> true) : found;
    if (found == null) {
      throw Objects.requireNonNull(refused, "A circle has a node to cut it at.");
    }
    return found;
  }

  /// A side of any node in a stage of the circle. What brings the two kinds together cannot be
  /// moved; but they may be in one stage because of others.
  private @Nullable Misfit anyTiedSide(Predicate<Node> wanted) {
    for (Node node : graph.nodes()) {
      String exchange = leadingTo(cut.first(node));
      int side = exchange == null || node.inputs().size() < 2 ? -1 : tiedSide(node, wanted);
      Misfit found = exchange == null || side < 0 ? null : movable(node, side, exchange);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /// Whether what a node gets from its sources or exchanges also goes to an exchange of a circle.
  private boolean feedsCircle(Node node) {
    List<Node> heads = heads(node);
    return graph.nodes().stream()
        .filter(each -> exchanges.containsKey(each.id()))
        .flatMap(exchange -> heads(exchange.inputs().getFirst()).stream())
        .anyMatch(heads::contains);
  }

  /// The first exchange of a circle that leads to a stage.
  private @Nullable String leadingTo(int stage) {
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange
          && exchanges.containsKey(exchange.id())
          && cut.firstBehind(exchange) == stage) {
        return exchange.name();
      }
    }
    return null;
  }

  private @Nullable Misfit movable(Node node, int side, String exchange) {
    Meeting meeting = node.meeting();
    if (meeting == null || isTableToBeReadFirst(node, side)) {
      return null;
    }
    String reason =
        "because exchange '%s' would otherwise lead back to tasks that feed it".formatted(exchange);
    return new Misfit(node, meeting, side, reason);
  }

  /// Whether an input is a table that its tasks read from its source before what is joined with it.
  /// Behind an exchange it would be read as far as that goes, which is nowhere at the first start.
  private static boolean isTableToBeReadFirst(Node node, int side) {
    return node instanceof Node.Stateful join
        && join.declared().waitsForTable()
        && side == 1
        && heads(join.inputs().get(side)).stream().anyMatch(Node.Input.class::isInstance);
  }

  /// The first input through which a node is tied to what feeds it; -1 if there is none. An
  /// exchange that leads nowhere else ties it to nothing.
  ///
  /// @param wanted which inputs to look at
  private int tiedSide(Node node, Predicate<Node> wanted) {
    for (int side = 0; side < node.inputs().size(); side++) {
      Node input = node.inputs().get(side);
      boolean ties = !(input instanceof Node.Exchange) || graph.consumers(input).size() > 1;
      if (ties && !input.broadcast() && wanted.test(input)) {
        return side;
      }
    }
    return -1;
  }

  private boolean isPartOfCircle(Node.Exchange exchange) {
    return reaches(cut.firstBehind(exchange), cut.first(exchange), new TreeSet<>());
  }

  /// Whether exchanges lead from a stage to another, or it is the same.
  private boolean reaches(int stage, int goal, Collection<Integer> seen) {
    if (stage == goal) {
      return true;
    }
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Exchange exchange && cut.first(exchange) == stage) {
        int next = cut.firstBehind(exchange);
        if (!seen.contains(next) && seen.add(next) && reaches(next, goal, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  private InvalidTopologyException refused(Node node, int side, String exchange) {
    String of =
        heads(node.inputs().get(side)).stream()
            .map(PartitionCounts::text)
            .distinct()
            .collect(Collectors.joining("', '", "'", "'"));
    if (node instanceof Node.Stateful join) {
      String operator = join.kind() + " '" + join.name() + "'";
      return new InvalidTopologyException(
          "%s looks up a table of %s for records of exchange '%s', which is fed by tasks that read %s. The table would need an exchange, too, so it could not be read before these records. Look up the values as of the records' times, with asOf in place of table; or join tables; or copy %s to another topic and read the table from there."
              .formatted(operator, of, exchange, of, of));
    }
    return new InvalidTopologyException(
        "merge brings records of %s together with those of exchange '%s', which is fed by tasks that read %s: they would wait for themselves. Bring the records of %s to the merge through an exchange, too, with %s before it."
            .formatted(
                of,
                exchange,
                of,
                of,
                graph.keyed(node)
                    ? "repartition(name)"
                    : "groupBy(name, key).stream().map(value -> value)"));
  }

  /// Where a node's records come into its stage.
  private static List<Node> heads(Node node) {
    return node instanceof Node.Input || node instanceof Node.Exchange
        ? List.of(node)
        : node.inputs().stream().flatMap(input -> heads(input).stream()).toList();
  }
}
