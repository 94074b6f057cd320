package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.topology.Node;

/// Draws a plan as a Mermaid flow chart: a box for each stage, a cylinder for each store.
final class PlanChart {
  private final Plan plan;
  private final StringBuilder text = new StringBuilder("flowchart LR\n");

  PlanChart(Plan plan) {
    this.plan = plan;
  }

  String draw() {
    plan.stages().forEach(this::stage);
    plan.stages().forEach(stage -> stage.nodes().forEach(node -> edges(stage, node)));
    return text.toString();
  }

  private void stage(Plan.Stage stage) {
    line(
        "  subgraph stage%d[\"stage %d, %s\"]",
        stage.index(), stage.index(), PlanText.count(stage.partitions(), "task"));
    for (Node node : stage.nodes()) {
      if (!(node instanceof Node.Input || node instanceof Node.Output || isExchange(node))) {
        line("    %s[\"%s\"]", id(stage, node), label(node));
      }
    }
    for (Plan.Store store : stage.stores()) {
      line("    store%d[(\"%s\")]", store.number(), store.spec().name());
    }
    line("  end");
    for (Plan.Store store : stage.stores()) {
      line("  %s -.- store%d", id(stage, store.owner()), store.number());
    }
  }

  /// A broadcast table is in several stages.
  private static String id(Plan.Stage stage, Node node) {
    return node.broadcast() ? "n%ds%d".formatted(node.id(), stage.index()) : "n" + node.id();
  }

  private void edges(Plan.Stage stage, Node node) {
    String id = id(stage, node);
    switch (node) {
      case Node.Input input -> line("  %s([\"%s\"])", id, input.source().stream());
      case Node.Output output -> line("  %s([\"%s\"])", id, output.sink().stream());
      case Node.Exchange exchange -> line("  %s{{\"%s\"}}", id, exchange.name());
      default -> {}
    }
    for (Node input : node.inputs()) {
      line("  %s --> %s", id(stage, input), id);
    }
  }

  private static boolean isExchange(Node node) {
    return node instanceof Node.Exchange;
  }

  private static String label(Node node) {
    return node instanceof Node.Stateful stateful
        ? stateful.name() + ": " + stateful.kind()
        : PlanText.verb(node);
  }

  private void line(String format, Object... arguments) {
    text.append(format.formatted(arguments)).append('\n');
  }
}
