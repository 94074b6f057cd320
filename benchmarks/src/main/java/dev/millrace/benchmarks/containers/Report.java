package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.ContainersBenchmark.Setup;
import dev.millrace.benchmarks.containers.Finding.Goal;
import dev.millrace.benchmarks.containers.Finding.Statistic;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Names;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Findings as a table with goals beside figures, plots and results for programs.
final class Report {
  /// What an engine must never do.
  private static final Set<String> FAILURES =
      Set.of("lost", "doubled", "wrong", "wrong at the end");

  private final Setup setup;
  private final List<Finding> findings;

  Report(Setup setup, List<Finding> findings) {
    this.setup = setup;
    this.findings = findings;
  }

  Figure figure() {
    Map<String, Object> facts = Machine.facts();
    facts.put(
        "shared", "the processors are shared by Kafka, all containers, the load and its reader");
    facts.put("runs", setup.runs());
    facts.put("tasks", setup.partitions());
    facts.put("keys", setup.keys());
    facts.put("events a second", setup.rate());
    facts.put("ms between commits", setup.commitMillis());
    facts.put(
        "load of the machine at the end",
        number(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    return new Figure(
            "containers",
            "Containers that come, go and die",
            facts,
            List.of(
                "row", "scene", "what", "unit", "median", "p99", "longest", "of", "goal",
                "reached"),
            findings.stream().map(Report::row).toList(),
            Plots.of(findings),
            List.of())
        .withResults(findings.stream().map(Report::result).toList());
  }

  /// Returns what must not be.
  List<String> failures() {
    return findings.stream()
        .filter(each -> FAILURES.contains(each.what()) && !each.isReached())
        .map(each ->
            "%s, %s: %s %s %s"
                .formatted(
                    Names.of(each.row()),
                    each.scene(),
                    number(each.value(Statistic.MOST)),
                    each.unit(),
                    each.what()))
        .toList();
  }

  private static List<Object> row(Finding each) {
    return List.of(
        Names.of(each.row()),
        each.scene(),
        each.what(),
        each.unit(),
        number(each.value(Statistic.MEDIAN)),
        number(each.value(Statistic.P99)),
        number(each.value(Statistic.MOST)),
        each.samples().size(),
        goal(each.goal()),
        each.goal().exists() ? (each.isReached() ? "yes" : "no") : "");
  }

  private static String goal(Goal goal) {
    return goal.exists()
        ? "%s %s %s"
            .formatted(
                goal.statistic() == Statistic.MOST
                    ? "longest"
                    : goal.statistic().name().toLowerCase(Locale.ROOT),
                goal.atMost() ? "<=" : ">=",
                number(goal.limit()))
        : "";
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    return value == Math.rint(value) || Math.abs(value) >= 1_000
        ? "%,d".formatted(Math.round(value))
        : "%.3f".formatted(value);
  }

  private static Map<String, @Nullable Object> result(Finding each) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("row", Names.of(each.row()));
    result.put("scene", each.scene());
    result.put("what", each.what());
    result.put("unit", each.unit());
    result.put("median", known(each.value(Statistic.MEDIAN)));
    result.put("p99", known(each.value(Statistic.P99)));
    result.put("least", known(each.value(Statistic.LEAST)));
    result.put("most", known(each.value(Statistic.MOST)));
    result.put("goal", goal(each.goal()));
    result.put("reached", each.goal().exists() ? each.isReached() : null);
    result.put("samples", each.samples());
    return result;
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
