package dev.millrace.cli;

import dev.millrace.internal.engine.plan.ChangeCost;
import dev.millrace.internal.engine.plan.ChangeReport;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.plan.Rollback;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Shows what becomes of the state of an application under another plan, and what that costs, as
/// text or as JSON.
final class PlanDiffReport {
  private final String application;
  private final PlanDiff diff;
  private final ChangeReport report;

  PlanDiffReport(String application, PlanDiff diff, ChangeReport report) {
    this.application = application;
    this.diff = diff;
    this.report = report;
  }

  void print(PrintWriter out) {
    if (diff.isNone()) {
      out.println("%s: the plan is the recorded one; nothing changes.".formatted(application));
      return;
    }
    out.println("%s: %s.".formatted(application, verdict()));
    out.println();
    report.lines().forEach(line -> out.println("  " + line));
    out.println();
    out.println(diff.consequences());
    report.notes().forEach(out::println);
    if (needsAcceptance()) {
      out.println("To accept it, start with --change.accept=%s.".formatted(diff.id()));
    }
  }

  private String verdict() {
    if (!diff.isPossible()) {
      return "the plan differs from the recorded one, and its state does not fit";
    }
    return needsAcceptance()
        ? "the plan differs from the recorded one, and has to be accepted"
        : "the plan reads more than the recorded one, and needs no acceptance";
  }

  private boolean needsAcceptance() {
    return diff.isPossible() && !diff.isGrowth();
  }

  void printJson(PrintWriter out) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("application", application);
    json.put("id", diff.isNone() ? "" : diff.id());
    json.put("possible", diff.isPossible());
    json.put("needsAcceptance", !diff.isNone() && needsAcceptance());
    json.put("tasks", report.sizes().tasks());
    json.put("reportedTasks", report.sizes().reported());
    List<Map<String, @Nullable Object>> kept = new ArrayList<>();
    for (ChangeReport.Kept each : report.kept()) {
      Map<String, @Nullable Object> operator = new LinkedHashMap<>();
      operator.put("text", each.text());
      put(operator, each.cost());
      kept.add(operator);
    }
    json.put("kept", kept);
    List<Map<String, @Nullable Object>> changes = new ArrayList<>();
    for (PlanDiff.Change change : diff.changes()) {
      Map<String, @Nullable Object> each = new LinkedHashMap<>();
      each.put("effect", lower(change.effect()));
      each.put("kind", lower(change.part().kind()));
      each.put("name", change.part().name());
      each.put("parameter", change.parameter());
      each.put("text", change.text());
      put(each, report.cost(change));
      changes.add(each);
    }
    json.put("changes", changes);
    json.put("writtenBytes", number(report.written()));
    Rollback rollback = report.rollback();
    json.put("rollback", rollback == null ? null : lower(rollback.verdict()));
    json.put("rollbackReasons", rollback == null ? List.of() : rollback.reasons());
    out.println(
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(json));
  }

  private static void put(Map<String, @Nullable Object> part, ChangeCost cost) {
    part.put("stateBytes", number(cost.bytes()));
    part.put("writtenBytes", number(cost.written()));
    part.put("seconds", number(cost.seconds()));
  }

  private static @Nullable Object number(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
