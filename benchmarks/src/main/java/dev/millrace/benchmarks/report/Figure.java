package dev.millrace.benchmarks.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a benchmark measured: a table for people and programs, and plots.
///
/// @param name such as `recovery`
/// @param title in words
/// @param facts what it was measured with: versions, sizes, runs
/// @param columns heads of the table
/// @param rows cells, as many as columns each; numbers or texts
/// @param plots drawn one below the other
/// @param results the same for programs, under names that do not change; may be empty
public record Figure(
    String name,
    String title,
    Map<String, Object> facts,
    List<String> columns,
    List<List<Object>> rows,
    List<Plot> plots,
    List<Map<String, @Nullable Object>> results) {

  public Figure {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    plots = List.copyOf(plots);
    results = List.copyOf(results);
  }

  /// One with a single plot and without results.
  public Figure(
      String name,
      String title,
      Map<String, Object> facts,
      List<String> columns,
      List<List<Object>> rows,
      Plot plot) {
    this(name, title, facts, columns, rows, List.of(plot), List.of());
  }

  public Figure withResults(List<Map<String, @Nullable Object>> newResults) {
    return new Figure(name, title, facts, columns, rows, plots, newResults);
  }

  /// Lines over a common axis.
  ///
  /// @param xs what the points stand for, in order
  public record Plot(String xTitle, String yTitle, List<String> xs, List<Line> lines, Scale scale) {
    public Plot {
      xs = List.copyOf(xs);
      lines = List.copyOf(lines);
    }

    /// One whose values begin at 0.
    public Plot(String xTitle, String yTitle, List<String> xs, List<Line> lines) {
      this(xTitle, yTitle, xs, lines, Scale.LINEAR);
    }
  }

  /// How the values of a plot are laid out.
  public enum Scale {
    /// From 0.
    LINEAR,
    /// By powers of ten; values that are not above 0 are left out.
    LOGARITHMIC
  }

  /// @param ys a value for each of the plot's `xs`; not a number where there is none
  public record Line(String name, List<Double> ys) {
    public Line {
      ys = List.copyOf(ys);
    }
  }
}
