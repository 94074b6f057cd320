package dev.millrace.cli;

import dev.millrace.internal.engine.plan.PlanDiff;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Shows what becomes of the state of an application under another plan, as text or as JSON.
final class PlanDiffReport {
  private final String application;
  private final PlanDiff diff;

  PlanDiffReport(String application, PlanDiff diff) {
    this.application = application;
    this.diff = diff;
  }

  void print(PrintWriter out) {
    if (diff.isNone()) {
      out.println("%s: the plan is the recorded one; nothing changes.".formatted(application));
      return;
    }
    out.println("%s: %s.".formatted(application, verdict()));
    out.println();
    diff.kept().forEach(operator -> out.println("  = %s is kept".formatted(operator)));
    diff.lines().forEach(line -> out.println("  " + line));
    out.println();
    out.println(diff.consequences());
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
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("application", application);
    json.put("id", diff.isNone() ? "" : diff.id());
    json.put("possible", diff.isPossible());
    json.put("needsAcceptance", !diff.isNone() && needsAcceptance());
    json.put("kept", diff.kept());
    List<Map<String, Object>> changes = new ArrayList<>();
    for (PlanDiff.Change change : diff.changes()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("effect", change.effect().name().toLowerCase(Locale.ROOT));
      each.put("kind", change.part().kind().name().toLowerCase(Locale.ROOT));
      each.put("name", change.part().name());
      each.put("parameter", change.parameter());
      each.put("text", change.text());
      changes.add(each);
    }
    json.put("changes", changes);
    out.println(
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(json));
  }
}
