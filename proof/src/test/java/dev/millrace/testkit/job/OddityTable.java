package dev.millrace.testkit.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The operators against what may be odd, as tables of the documents.
final class OddityTable {
  /// What may be odd with records, in a table for each kind of operators.
  static final OddityTable RECORDS = new OddityTable(ofRecords(), OddityTable::section);

  /// What may be odd with topics and with how a job goes, in one table.
  static final OddityTable LOG = new OddityTable(ofTheLog(), _ -> "");

  private static final EachOperator<String, String> EACH =
      new EachOperator<>(Oddity.PLAIN, Oddity.PLAIN);

  /// Rows that were found already: each takes a while.
  private final Map<String, List<OddCell>> rows = new ConcurrentHashMap<>();

  private final List<Column> columns;
  private final UnaryOperator<String> sections;

  private OddityTable(List<Column> columns, UnaryOperator<String> sections) {
    this.columns = columns;
    this.sections = sections;
  }

  /// @param cells what each operator does with it
  private record Column(String name, String explained, List<Function<String, OddCell>> cells) {
    /// The weakest of those it stands for.
    OddCell cell(String operator) {
      return cells.stream().map(each -> each.apply(operator)).max(Enum::compareTo).orElseThrow();
    }
  }

  private static List<Column> ofRecords() {
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
            "Some records of a stream have no value. In a table's topic they delete their keys.",
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
            "One value has two megabytes, more than the default limits of exchanges, stores and"
                + " topics.",
            OddCell::withALargeOne));
    return List.copyOf(columns.values());
  }

  private static List<Column> ofTheLog() {
    return List.of(
        new Column(
            "aborted",
            "Aborted transactions are between the records and at the end of each topic.",
            List.of(OddLogCell::aborted, OddLogCell::abortedBeforeAnEnd)),
        new Column(
            "open",
            "When the job begins, half of the records of each topic are in open transactions:"
                + " results contain these records only after the transactions are committed.",
            List.of(OddLogCell::open, OddLogCell::openBeforeAnEnd)),
        new Column(
            "restarted",
            "The job is repeatedly stopped or killed in the middle of its input, and started"
                + " again.",
            List.of(OddLogCell::stopped, OddLogCell::killed)),
        new Column(
            "re-created",
            "While the job is stopped, a topic is deleted and created again, each topic in turn.",
            List.of(OddLogCell::madeAnew)),
        new Column(
            "moved key",
            "While the job runs, partitions are added to a topic, each topic in turn, and later"
                + " records of a key are in another partition.",
            List.of(OddLogCell::moved)),
        new Column(
            "more partitions",
            "A topic gets twice as many partitions while the job runs, each topic in turn, and"
                + " later records lie in the new ones.",
            List.of(OddLogCell::grown)),
        new Column(
            "parameters",
            "Sizes, gaps, lateness, times to live, numbers and zones of operators differ at the"
                + " next start.",
            List.of(OddLogCell::otherParameters)),
        new Column(
            "formats",
            "Keys and values have serdes with other names at the next start.",
            List.of(OddLogCell::otherFormats)));
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
  List<OddCell> row(String operator) {
    return rows.computeIfAbsent(
        operator, name -> columns.stream().map(column -> column.cell(name)).toList());
  }

  /// The explanations and the tables, as lines of Markdown. Operators that do the same share a row.
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    columns.forEach(each -> lines.add("- **%s.** %s".formatted(each.name, each.explained)));
    Map<String, Map<String, List<String>>> tables = new LinkedHashMap<>();
    for (String operator : operators()) {
      String cells =
          row(operator).stream().map(cell -> cell.mark).collect(Collectors.joining(" | "));
      tables
          .computeIfAbsent(sections.apply(operator), _ -> new LinkedHashMap<>())
          .computeIfAbsent(cells, _ -> new ArrayList<>())
          .add(operator);
    }
    tables.forEach((section, table) -> {
      lines.addAll(section.isEmpty() ? List.of("") : List.of("", "## " + section, ""));
      lines.add(
          "| operator | "
              + columns.stream().map(Column::name).collect(Collectors.joining(" | "))
              + " |");
      lines.add("|---" + "|:-:".repeat(columns.size()) + "|");
      table.forEach((cells, operators) ->
          lines.add("| %s | %s |".formatted(String.join("; ", operators), cells)));
    });
    return lines;
  }

  private static String section(String operator) {
    if (operator.startsWith("after groupBy: ")) {
      return "Aggregates after an exchange";
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
