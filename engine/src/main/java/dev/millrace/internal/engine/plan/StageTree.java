package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Draws one stage as a tree that begins at its inputs.
final class StageTree {
  private final Plan plan;
  private final Plan.Stage stage;
  private final StringBuilder text;
  private final TableWaits waits;
  private final List<Integer> arrived = new ArrayList<>();

  StageTree(Plan plan, Plan.Stage stage, StringBuilder text) {
    this.plan = plan;
    this.stage = stage;
    this.text = text;
    waits = TableWaits.of(stage);
  }

  void draw() {
    for (Plan.Input input : stage.inputs()) {
      line("  ", text(input) + waits(input));
      List<Node> next = new ArrayList<>();
      input.heads().forEach(head -> next.addAll(consumers(head)));
      branches(next, "  ");
    }
  }

  private void branches(List<Node> nodes, String indent) {
    for (int i = 0; i < nodes.size(); i++) {
      boolean last = i == nodes.size() - 1;
      branch(nodes.get(i), indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
    }
  }

  /// Draws a line of steps that feed one another, and what it leads to.
  private void branch(Node first, String indent, String deeper) {
    List<String> steps = new ArrayList<>();
    Node node = first;
    while (true) {
      if (node.inputs().size() > 1 && !arrivedFromAll(node)) {
        steps.add(step(node) + " …");
        line(indent, String.join(" → ", steps));
        return;
      }
      steps.add(step(node));
      List<Node> next = consumers(node);
      if (standsAlone(node) || next.size() != 1 || standsAlone(next.getFirst())) {
        line(indent, String.join(" → ", steps));
        details(node, deeper + (next.isEmpty() ? "" : "│  "));
        branches(next, deeper);
        return;
      }
      node = next.getFirst();
    }
  }

  private boolean arrivedFromAll(Node node) {
    arrived.add(node.id());
    long times = arrived.stream().filter(id -> id == node.id()).count();
    return times == node.inputs().stream().map(Node::id).distinct().count();
  }

  private static boolean standsAlone(Node node) {
    return node instanceof Node.Stateful || node instanceof Node.Exchange;
  }

  private String step(Node node) {
    return switch (node) {
      case Node.Merge merge -> "merge #" + merge.id();
      case Node.Stateful stateful -> stateful.name() + ": " + stateful.kind();
      case Node.Exchange exchange ->
          "exchange " + exchange.name() + " to stage " + planned(exchange).toStage();
      case Node.Output output ->
          "write " + output.sink().stream() + (output.deletion() == null ? "" : " with deletions");
      default -> PlanText.verb(node);
    };
  }

  private void details(Node node, String indent) {
    if (node instanceof Node.Exchange exchange) {
      Plan.Exchange planned = planned(exchange);
      line(
          indent,
          "topic %s, %s%s"
              .formatted(
                  planned.topic(),
                  PlanText.count(planned.partitions(), "partition"),
                  serdes(exchange.keySerde(), exchange.valueSerde())));
      if (!exchange.reason().isEmpty()) {
        line(indent, exchange.reason());
      }
    }
    for (Plan.Store store : stage.stores()) {
      if (store.owner().id() == node.id()) {
        line(
            indent,
            "store %d: %s%s%s"
                .formatted(
                    store.number(),
                    store.spec().name(),
                    serdes(store.spec().keySerde(), store.spec().valueSerde()),
                    store.spec().ranges() ? ", ranges" : ""));
      }
    }
  }

  private String text(Plan.Input input) {
    Plan.Exchange exchange = input.exchange();
    if (exchange != null) {
      return "receive exchange %s from stage %d"
          .formatted(exchange.node().name(), exchange.fromStage());
    }
    Node.Input head = (Node.Input) input.heads().getFirst();
    return "read %s, %s%s%s%s%s"
        .formatted(
            input.stream(),
            PlanText.count(input.partitions(), "partition"),
            head.broadcast() ? " by every task" : "",
            serdes(head.keyed() ? head.source().keySerde() : null, head.source().valueSerde()),
            head.deletion() == null ? "" : ", with deletions",
            head.source().bounded() ? ", bounded" : "");
  }

  private String waits(Plan.Input input) {
    List<String> tables = waits.tablesBefore(input.stream());
    return tables.isEmpty() ? "" : ", waits for " + String.join(", ", tables);
  }

  private static String serdes(@Nullable Serde<?> key, Serde<?> value) {
    return (key == null ? "" : ", key " + key.id()) + ", value " + value.id();
  }

  private Plan.Exchange planned(Node.Exchange node) {
    return plan.exchanges().stream()
        .filter(exchange -> exchange.node().id() == node.id())
        .findFirst()
        .orElseThrow();
  }

  private List<Node> consumers(Node node) {
    return stage.nodes().stream()
        .filter(other -> other.inputs().stream().anyMatch(input -> input.id() == node.id()))
        .toList();
  }

  private void line(String indent, String content) {
    text.append(indent).append(content).append('\n');
  }
}
