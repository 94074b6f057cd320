package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.topology.Node;

/// Shows a plan to people.
public final class PlanText {
  private PlanText() {}

  /// The plan as a tree: stages with their tasks and inputs, every operator, store, exchange and
  /// sink.
  ///
  /// Steps without state stand in one line, in their order. A merge has a number; it goes on where
  /// the last of its inputs arrives.
  public static String text(Plan plan) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %s, %s, version %016x\n"
            .formatted(
                plan.application(),
                count(plan.stages().size(), "stage"),
                count(plan.tasks().size(), "task"),
                plan.version()));
    for (Plan.Stage stage : plan.stages()) {
      text.append("\nstage %d: %s\n".formatted(stage.index(), tasks(stage)));
      new StageTree(plan, stage, text).draw();
    }
    return text.toString();
  }

  /// The plan as a flow chart for Mermaid.
  public static String mermaid(Plan plan) {
    return new PlanChart(plan).draw();
  }

  static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /// What a node does, without its name.
  static String verb(Node node) {
    return switch (node) {
      case Node.Input _ -> "read";
      case Node.Filter _ -> "filter";
      case Node.Map map -> map.keepsKey() ? "mapValues" : "map";
      case Node.FlatMap _ -> "flatMap";
      case Node.Sample _ -> "sample";
      case Node.Route _ -> "route";
      case Node.Peek _ -> "peek";
      case Node.Merge _ -> "merge";
      case Node.Versions _ -> "versions";
      case Node.Additions _ -> "without retractions";
      case Node.Conflate _ -> "conflate";
      case Node.Combine _ -> "combine";
      case Node.InTime _ -> "late ones at the watermark";
      case Node.WithMetadata _ -> "records";
      case Node.Exchange _ -> "exchange";
      case Node.Stateful stateful -> stateful.kind();
      case Node.Output _ -> "write";
    };
  }

  private static String tasks(Plan.Stage stage) {
    return stage.partitions() == 1
        ? "1 task, %d-0".formatted(stage.index())
        : "%d tasks, %d-0 to %d-%d"
            .formatted(stage.partitions(), stage.index(), stage.index(), stage.partitions() - 1);
  }
}
