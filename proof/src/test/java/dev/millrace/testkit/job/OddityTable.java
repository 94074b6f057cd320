package dev.millrace.testkit.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The operators against what may be odd with records, as a table of the documents.
final class OddityTable {
  private static final EachOperator<String, String> EACH =
      new EachOperator<>(Oddity.PLAIN, Oddity.PLAIN);

  /// Rows that were found already: each takes a while.
  private static final Map<String, List<OddCell>> FOUND = new ConcurrentHashMap<>();

  private OddityTable() {}

  /// @param cells what each operator does with it
  private record Column(String name, String explained, List<Function<String, OddCell>> cells) {
    /// The weakest of those it stands for.
    OddCell cell(String operator) {
      return cells.stream().map(each -> each.apply(operator)).max(Enum::compareTo).orElseThrow();
    }
  }

  private static List<Column> columns() {
    Map<String, Column> columns = new LinkedHashMap<>();
    columns.put(
        "no key",
        column(
            "no key",
            "Some records of a stream have no key.",
            operator -> OddCell.withoutKey(operator, OddCell.STREAMS)));
    columns.put(
        "no key in a table",
        column(
            "no key in a table",
            "Some records of a table's topic have no key.",
            operator -> OddCell.withoutKey(operator, Set.of(EachOperator.TABLE))));
    columns.put(
        "no value",
        column(
            "no value",
            "Some records of a stream have no value. In a table's topic they delete.",
            OddCell::withoutValue));
    for (Oddity oddity : Oddity.all()) {
      columns
          .computeIfAbsent(
              oddity.name(), name -> new Column(name, oddity.explained(), new ArrayList<>()))
          .cells
          .add(operator -> OddCell.of(operator, oddity));
    }
    columns.put(
        "too large",
        column(
            "too large",
            "One value has two megabytes, more than exchanges, stores and topics take by"
                + " themselves.",
            OddCell::withALargeOne));
    return List.copyOf(columns.values());
  }

  private static Column column(String name, String explained, Function<String, OddCell> cell) {
    return new Column(name, explained, List.of(cell));
  }

  static Set<String> operators() {
    return EACH.all().keySet();
  }

  /// What an operator does, by columns.
  ///
  /// @throws AssertionError if that is neither what an oracle says nor a refusal
  static List<OddCell> row(String operator) {
    return FOUND.computeIfAbsent(
        operator, name -> columns().stream().map(column -> column.cell(name)).toList());
  }

  /// The explanations and the tables, as lines of Markdown. Operators that do the same share a row.
  static List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<Column> columns = columns();
    columns.forEach(each -> lines.add("- **%s.** %s".formatted(each.name, each.explained)));
    Map<String, Map<String, List<String>>> sections = new LinkedHashMap<>();
    for (String operator : operators()) {
      String cells =
          row(operator).stream().map(cell -> cell.mark).collect(Collectors.joining(" | "));
      sections
          .computeIfAbsent(section(operator), _ -> new LinkedHashMap<>())
          .computeIfAbsent(cells, _ -> new ArrayList<>())
          .add(operator);
    }
    sections.forEach((section, rows) -> {
      lines.addAll(List.of("", "## " + section, ""));
      lines.add(
          "| operator | "
              + columns.stream().map(Column::name).collect(Collectors.joining(" | "))
              + " |");
      lines.add("|---" + "|:-:".repeat(columns.size()) + "|");
      rows.forEach((cells, operators) ->
          lines.add("| %s | %s |".formatted(String.join("; ", operators), cells)));
    });
    return lines;
  }

  private static String section(String operator) {
    if (operator.startsWith("behind groupBy: ")) {
      return "Aggregates behind an exchange";
    } else if (operator.contains(": ")
        || operator.contains("topK")
        || operator.equals("windows of corrected results")
        || operator.equals("tooLate")) {
      return "Windows";
    } else if (operator.contains("oin") || operator.equals("coGroup")) {
      return "Joins";
    } else if (operator.startsWith("table")) {
      return "Tables";
    } else if (operator.matches("(call|put|process).*")) {
      return "Calls, writes and processors";
    }
    return operator.matches("(count|reduce|latest|aggregate|deduplicate).*")
        ? "Aggregates"
        : "Sources, sinks and operators without state";
  }
}
