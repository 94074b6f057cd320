package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import java.util.List;

/// How parts of a plan are called in messages.
final class PartLabel {
  private PartLabel() {}

  /// Returns a part as people know it: an operator by what it does, a store by its operator.
  static String of(Part part, PlanDescription plan) {
    String named = "'" + part.name() + "'";
    return switch (part.kind()) {
      case APPLICATION, EXCHANGE -> part.kind().word() + " " + named;
      case STAGE -> "stage " + part.name();
      case INPUT -> "input " + named;
      case OPERATOR -> does(part) + " " + named + stores(part, plan);
      case STORE -> "store " + named + " of " + owner(part.value(PlanDescription.OWNER), plan);
    };
  }

  private static String does(Part operator) {
    String computes = operator.value("computes");
    return computes.isEmpty() ? operator.value("kind") : computes;
  }

  private static String stores(Part operator, PlanDescription plan) {
    List<String> names =
        plan.parts().stream()
            .filter(part -> part.kind() == Kind.STORE)
            .filter(part -> part.value(PlanDescription.OWNER).equals(operator.name()))
            .map(part -> "'" + part.name() + "'")
            .toList();
    return names.isEmpty()
        ? ""
        : " (store%s %s)".formatted(names.size() == 1 ? "" : "s", String.join(", ", names));
  }

  private static String owner(String operator, PlanDescription plan) {
    return plan.parts().stream()
        .filter(part -> part.kind() == Kind.OPERATOR && part.name().equals(operator))
        .map(part -> does(part) + " '" + operator + "'")
        .findFirst()
        .orElse("'" + operator + "'");
  }
}
