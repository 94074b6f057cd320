package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Schemas;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Whether the program before a change can go on from the state that the one after it has made.
///
/// @param verdict the worst of all parts
/// @param reasons noun phrases of what is lost, or clauses that say why it cannot be done or is not
///   known
public record Rollback(Verdict verdict, List<String> reasons) {
  public enum Verdict {
    YES,
    /// It can be done, and something is lost.
    LOSSY,
    /// Only a serde or a person could say it.
    UNKNOWN,
    NO
  }

  public Rollback {
    reasons = List.copyOf(reasons);
  }

  /// Says it of a change.
  ///
  /// @param was the plan before, under the names of the one after it
  /// @param formats of the one after it
  static Rollback of(PlanDiff diff, PlanDescription was, PlanDescription is, Formats formats) {
    Set<String> losses = new LinkedHashSet<>();
    Set<String> unknown = new LinkedHashSet<>();
    Set<String> obstacles = new LinkedHashSet<>();
    for (PlanDiff.Change change : diff.changes()) {
      Part part = change.part();
      String label = PartLabel.of(part, is);
      switch (change.effect()) {
        // What the old program does not have is parked, and what is renamed keeps its number.
        case GROWS, ADDED, RESUMED, RENAMED -> {}
        case PARKED -> {
          if (part.kind() == Kind.OPERATOR) {
            losses.add("the records that %s misses until then".formatted(PartLabel.of(part, was)));
          }
        }
        case EVOLVES, MIGRATED -> {
          String before = schema(was, part);
          if (formats.writesAs(part, before)) {
            losses(before, part.value(PlanDescription.SCHEMA_OF_VALUES))
                .forEach(each -> losses.add(each + " in " + label));
          } else {
            obstacles.add(
                "%s: the old program cannot read its values as the new one writes them"
                    .formatted(label));
          }
        }
        case REINTERPRETED ->
            unknown.add("whether the state of %s fits the old program then".formatted(label));
        case REFUSED -> {}
      }
    }
    if (!obstacles.isEmpty()) {
      return new Rollback(Verdict.NO, List.copyOf(obstacles));
    }
    if (!unknown.isEmpty()) {
      return new Rollback(Verdict.UNKNOWN, List.copyOf(unknown));
    }
    return losses.isEmpty()
        ? new Rollback(Verdict.YES, List.of())
        : new Rollback(Verdict.LOSSY, List.copyOf(losses));
  }

  private static String schema(PlanDescription was, Part part) {
    return was.parts().stream()
        .filter(old -> old.kind() == part.kind() && old.name().equals(part.name()))
        .map(old -> old.value(PlanDescription.SCHEMA_OF_VALUES))
        .findFirst()
        .orElse("");
  }

  /// Returns what is lost between schemas that may be made of others.
  private static List<String> losses(String before, String after) {
    List<String> old = Schemas.parts(before);
    List<String> now = Schemas.parts(after);
    if (old.size() != now.size() || !old.getFirst().equals(now.getFirst())) {
      return Serde.losses(before, after);
    }
    List<String> losses = new ArrayList<>();
    for (int i = 1; i < old.size(); i++) {
      losses.addAll(losses(old.get(i), now.get(i)));
    }
    return losses;
  }

  /// Returns a sentence.
  String text() {
    String all = String.join("; ", reasons);
    return "Rollback in place: "
        + switch (verdict) {
          case YES -> "yes.";
          case LOSSY -> "yes, losing " + String.join(", and ", reasons) + ".";
          case UNKNOWN -> "not known: " + all + ".";
          case NO -> "no: " + all + ".";
        };
  }
}
