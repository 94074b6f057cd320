package dev.millrace.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Rows of text in columns as wide as they need to be; a column of numbers stands at the right.
final class TextTable {
  private static final String BETWEEN = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... heads) {
    rows.add(List.of(heads));
  }

  void add(String... cells) {
    rows.add(List.of(cells));
  }

  void print(PrintWriter out) {
    int columns = rows.getFirst().size();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        String blanks = " ".repeat(width(column) - cell.length());
        line.append(isNumber(column) ? blanks + cell : cell + blanks).append(BETWEEN);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private boolean isNumber(int column) {
    return rows.size() > 1
        && rows.stream().skip(1).allMatch(row -> row.get(column).matches("-|[0-9,]+"));
  }

  /// Returns a text padded with blanks to a width.
  static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
