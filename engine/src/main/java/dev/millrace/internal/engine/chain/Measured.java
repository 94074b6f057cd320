package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.FunctionPlace;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// An operator of a stage, as it is measured in all of the stage's tasks.
///
/// @param name as messages call it, such as `filter 3` or `count 'orders'`; no other one of the
///   stage has it
/// @param node in the plan; an exchange is one where it is sent to and one where it is received
public record Measured(int stage, String name, Node node) {

  /// The function of the application that it calls, such as `Orders.java:41` or `Order::isLarge`;
  /// empty if it calls none, or several, or that cannot be told. Reads a class file.
  public String function() {
    return switch (node) {
      case Node.Filter filter -> FunctionPlace.of(filter.predicate());
      case Node.Map map -> FunctionPlace.of(map.mapper());
      case Node.FlatMap flatMap -> FunctionPlace.of(flatMap.mapper());
      case Node.Peek peek -> FunctionPlace.of(peek.consumer());
      default -> "";
    };
  }

  /// What a node is called in messages.
  static String name(Node node) {
    return switch (node) {
      case Node.Input input -> "source '" + input.source().stream() + "'";
      case Node.Stateful stateful -> stateful.kind() + " '" + stateful.name() + "'";
      case Node.Output output -> "sink '" + output.sink().stream() + "'";
      case Node.Exchange exchange -> "exchange '" + exchange.name() + "'";
      default -> node.getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + node.id();
    };
  }

  /// The operators of a plan by their numbers.
  static final class Numbers {
    private final List<Measured> all = new ArrayList<>();

    /// By the index of a stage, the numbers of its heads and of its other nodes by the nodes' ids.
    /// The same node may be both, where a stage sends to itself.
    private final Map<Integer, Map<Integer, Integer>> heads = new HashMap<>();

    private final Map<Integer, Map<Integer, Integer>> nodes = new HashMap<>();

    Numbers(Plan plan) {
      for (Plan.Stage stage : plan.stages()) {
        Set<String> names = new HashSet<>();
        Map<Integer, Integer> headsOfStage = new LinkedHashMap<>();
        for (Plan.Input input : stage.inputs()) {
          for (Node head : input.heads()) {
            String name = head instanceof Node.Exchange ? "from " + name(head) : name(head);
            headsOfStage.put(head.id(), add(stage, name, head, names));
          }
        }
        Map<Integer, Integer> nodesOfStage = new LinkedHashMap<>();
        for (Node node : stage.nodes()) {
          if (!(node instanceof Node.Input)) {
            nodesOfStage.put(node.id(), add(stage, name(node), node, names));
          }
        }
        heads.put(stage.index(), headsOfStage);
        nodes.put(stage.index(), nodesOfStage);
      }
    }

    private int add(Plan.Stage stage, String name, Node node, Set<String> names) {
      String unique = names.add(name) ? name : name + " " + node.id();
      names.add(unique);
      all.add(new Measured(stage.index(), unique, node));
      return all.size() - 1;
    }

    List<Measured> all() {
      return List.copyOf(all);
    }

    int ofHead(int stage, Node node) {
      return Objects.requireNonNull(Objects.requireNonNull(heads.get(stage)).get(node.id()));
    }

    int of(int stage, Node node) {
      return Objects.requireNonNull(Objects.requireNonNull(nodes.get(stage)).get(node.id()));
    }
  }
}
