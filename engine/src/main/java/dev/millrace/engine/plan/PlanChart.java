package dev.millrace.engine.plan;

import dev.millrace.engine.topology.Node;

/// Draws a plan as a Mermaid flow chart: a box for each stage, a cylinder for each store.
final class PlanChart {
  private final Plan plan;
  private final StringBuilder text = new StringBuilder("flowchart LR\n");

  PlanChart(Plan plan) {
    this.plan = plan;
  }

  String draw() {
    plan.stages().forEach(this::stage);
    plan.stages().stream().flatMap(stage -> stage.nodes().stream()).forEach(this::edges);
    return text.toString();
  }

  private void stage(Plan.Stage stage) {
    line(
        "  subgraph stage%d[\"stage %d, %s\"]",
        stage.index(), stage.index(), PlanText.count(stage.partitions(), "task"));
    for (Node node : stage.nodes()) {
      if (!(node instanceof Node.Input || node instanceof Node.Output || isExchange(node))) {
        line("    n%d[\"%s\"]", node.id(), label(node));
      }
    }
    for (Plan.Store store : stage.stores()) {
      line("    store%d[(\"%s\")]", store.number(), store.spec().name());
    }
    line("  end");
    for (Plan.Store store : stage.stores()) {
      line("  n%d -.- store%d", store.owner().id(), store.number());
    }
  }

  private void edges(Node node) {
    switch (node) {
      case Node.Input input -> line("  n%d([\"%s\"])", node.id(), input.source().stream());
      case Node.Output output -> line("  n%d([\"%s\"])", node.id(), output.sink().stream());
      case Node.Exchange exchange -> line("  n%d{{\"%s\"}}", node.id(), exchange.name());
      default -> {}
    }
    for (Node input : node.inputs()) {
      line("  n%d --> n%d", input.id(), node.id());
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
