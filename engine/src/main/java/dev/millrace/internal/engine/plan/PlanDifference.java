package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.operators.Parameters.Parameter;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.Fingerprint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// In what a plan differs from one that was before.
///
/// @param all in the order of the plan
/// @param code tells this difference from all others
public record PlanDifference(List<Difference> all, String code) {
  /// So many are told.
  private static final int MOST = 20;

  /// So much of a value is told.
  private static final int LONGEST = 160;

  private static final int BEFORE_DIFFERENCE = 60;

  /// They follow from where something stands, so where anything else differs they tell nothing.
  private static final List<String> PLACES =
      List.of("stage", "from stage", "to stage", "number", "operator", PlanDescription.FED_BY);

  /// @param text a clause for people
  /// @param ofPlace whether only a place differs
  /// @param acceptable whether a person may say that state goes on with it
  /// @param growth whether an input more is all that it comes of, with which state goes on
  public record Difference(String text, boolean ofPlace, boolean acceptable, boolean growth) {}

  public PlanDifference {
    all = List.copyOf(all);
  }

  /// @param was the plan that the state is of
  public static PlanDifference between(PlanDescription was, PlanDescription is) {
    List<Difference> found = new ArrayList<>();
    Map<String, Part> before = byName(was);
    Map<String, Part> now = byName(is);
    Set<String> more = new TreeSet<>(is.inputs());
    more.removeAll(was.inputs());
    now.forEach((name, part) -> {
      Part old = before.get(name);
      if (old == null) {
        found.add(whole(label(part, is) + " is new", part, isMore(part)));
      } else {
        compare(old, part, label(part, is), more, found);
      }
    });
    before.forEach((name, part) -> {
      if (!now.containsKey(name)) {
        found.add(whole(label(part, was) + " is gone", part, false));
      }
    });
    boolean same = was.equals(is);
    if (!same && found.isEmpty()) {
      found.add(new Difference("the order of operators or inputs differs", false, false, false));
    }
    String code = new Fingerprint().add(was.text()).add(is.text()).text().substring(0, 8);
    return new PlanDifference(found, code);
  }

  private static Map<String, Part> byName(PlanDescription plan) {
    Map<String, Part> parts = new LinkedHashMap<>();
    plan.parts().forEach(part -> parts.put(part.kind() + " " + part.name(), part));
    return parts;
  }

  private static Difference whole(String text, Part part, boolean growth) {
    return new Difference(text, part.kind() == Kind.STAGE, false, growth);
  }

  /// Whether a new part is an input whose records come to operators that there were. A broadcast
  /// table is one that there was not.
  private static boolean isMore(Part part) {
    return part.kind() == Kind.INPUT && value(part, PlanDescription.READ_BY_ALL).equals("no");
  }

  private static void compare(
      Part was, Part is, String label, Set<String> more, List<Difference> found) {
    Map<String, Parameter> before = parameters(was);
    Map<String, Parameter> now = parameters(is);
    Set<String> names = new LinkedHashSet<>(now.keySet());
    names.addAll(before.keySet());
    for (String name : names) {
      Parameter old = before.get(name);
      Parameter changed = now.get(name);
      if (!Objects.equals(old, changed)) {
        found.add(
            new Difference(
                label + ": " + clause(name, old, changed),
                PLACES.contains(name) || is.kind() == Kind.STAGE,
                old != null && changed != null && old.acceptable() && changed.acceptable(),
                name.equals(PlanDescription.FED_BY) && isMore(old, changed, more)));
      }
    }
  }

  /// Whether each side is fed by all that fed it, and besides by nothing but new inputs: what else
  /// feeds another operator has been read further than a new one's first record.
  private static boolean isMore(
      @Nullable Parameter was, @Nullable Parameter is, Set<String> newInputs) {
    if (was == null || is == null) {
      return false;
    }
    List<Set<String>> before = sides(was);
    List<Set<String>> now = sides(is);
    if (before.size() != now.size()) {
      return false;
    }
    for (int side = 0; side < now.size(); side++) {
      Set<String> added = now.get(side);
      if (!added.containsAll(before.get(side))) {
        return false;
      }
      added.removeAll(before.get(side));
      if (!newInputs.containsAll(added)) {
        return false;
      }
    }
    return true;
  }

  private static List<Set<String>> sides(Parameter fedBy) {
    List<Set<String>> sides = new ArrayList<>();
    for (String side : fedBy.value().split(Pattern.quote(PlanDescription.SIDE), -1)) {
      sides.add(new TreeSet<>(List.of(side.split(Pattern.quote(PlanDescription.AND), -1))));
    }
    return sides;
  }

  private static Map<String, Parameter> parameters(Part part) {
    return part.parameters().all().stream()
        .collect(
            Collectors.toMap(
                Parameter::name, parameter -> parameter, (_, last) -> last, LinkedHashMap::new));
  }

  private static String clause(String name, @Nullable Parameter was, @Nullable Parameter is) {
    String old = was == null ? "not set" : was.value();
    String now = is == null ? "not set" : is.value();
    return "%s was %s, is %s".formatted(name, around(old, now), around(now, old));
  }

  /// A long value near where it differs from another one.
  private static String around(String value, String other) {
    if (value.length() <= LONGEST) {
      return value;
    }
    int at = 0;
    while (at < Math.min(value.length(), other.length()) && value.charAt(at) == other.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - BEFORE_DIFFERENCE);
    int to = Math.min(value.length(), from + LONGEST);
    return (from > 0 ? "…" : "") + value.substring(from, to) + (to < value.length() ? "…" : "");
  }

  /// A part as people know it: an operator by what it does, a store by its operator.
  private static String label(Part part, PlanDescription plan) {
    String named = "'" + part.name() + "'";
    return switch (part.kind()) {
      case APPLICATION, EXCHANGE -> part.kind().word() + " " + named;
      case STAGE -> "stage " + part.name();
      case INPUT -> "input " + named;
      case OPERATOR -> does(part) + " " + named + stores(part, plan);
      case STORE -> "store " + named + " of " + owner(value(part, "operator"), plan);
    };
  }

  private static String does(Part operator) {
    String computes = value(operator, "computes");
    return computes.isEmpty() ? value(operator, "kind") : computes;
  }

  private static String stores(Part operator, PlanDescription plan) {
    List<String> names =
        plan.parts().stream()
            .filter(part -> part.kind() == Kind.STORE)
            .filter(part -> value(part, "operator").equals(operator.name()))
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

  private static String value(Part part, String name) {
    Parameter parameter = parameters(part).get(name);
    return parameter == null ? "" : parameter.value();
  }

  /// Whether the plans are the same.
  public boolean isNone() {
    return all.isEmpty();
  }

  /// Whether a person may say that state goes on with all of it.
  public boolean isAcceptable() {
    return !isNone() && all.stream().allMatch(each -> each.acceptable || each.growth);
  }

  /// Whether the plan reads more than the one before and is the same otherwise, so that state goes
  /// on with it.
  public boolean isGrowth() {
    return !isNone() && all.stream().allMatch(Difference::growth);
  }

  /// The differences, one a line, without those that follow from others.
  public List<String> lines() {
    List<String> told = all.stream().filter(each -> !each.ofPlace).map(Difference::text).toList();
    List<String> lines = told.isEmpty() ? all.stream().map(Difference::text).toList() : told;
    if (lines.size() <= MOST) {
      return lines;
    }
    List<String> first = new ArrayList<>(lines.subList(0, MOST));
    first.add("and " + (lines.size() - MOST) + " more");
    return first;
  }
}
