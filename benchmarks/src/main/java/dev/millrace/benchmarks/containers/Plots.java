package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Statistic;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import dev.millrace.benchmarks.report.Names;
import java.util.ArrayList;
import java.util.List;

/// Findings, drawn: for each row what was measured in seconds, and for the row of scale each
/// measure by the number of containers.
final class Plots {
  private static final String SECONDS = "s";

  private Plots() {}

  static List<Plot> of(List<Finding> findings) {
    List<Plot> plots = new ArrayList<>();
    for (Rows row : Rows.values()) {
      List<Finding> ofRow = findings.stream().filter(each -> each.row() == row).toList();
      List<Finding> timed = ofRow.stream().filter(each -> each.unit().equals(SECONDS)).toList();
      if (row == Rows.SCALE) {
        scale(ofRow, plots, "events a second", List.of(ScaleRow.RATE));
        scale(ofRow, plots, "processor seconds a million events", List.of(ScaleRow.CPU));
        scale(ofRow, plots, "ms", List.of(ScaleRow.P50, ScaleRow.P99));
      } else if (!timed.isEmpty()) {
        plots.add(seconds(row, timed));
      }
    }
    return plots;
  }

  private static Plot seconds(Rows row, List<Finding> timed) {
    return new Plot(
        Names.of(row),
        "seconds",
        timed.stream().map(each -> each.scene() + ": " + each.what()).toList(),
        List.of(
            line("median", timed, Statistic.MEDIAN),
            line("longest", timed, Statistic.MOST),
            new Line("goal", timed.stream().map(each -> each.goal().limit()).toList())),
        Scale.LOGARITHMIC);
  }

  /// Adds a plot with a line for each of some measures, by the scene.
  private static void scale(
      List<Finding> findings, List<Plot> plots, String yTitle, List<String> measures) {
    List<Finding> first = of(findings, measures.getFirst());
    if (!first.isEmpty()) {
      plots.add(
          new Plot(
              "containers",
              yTitle,
              first.stream().map(Finding::scene).toList(),
              measures.stream()
                  .map(each -> line(each, of(findings, each), Statistic.MEDIAN))
                  .toList()));
    }
  }

  private static List<Finding> of(List<Finding> findings, String what) {
    return findings.stream().filter(each -> each.what().equals(what)).toList();
  }

  private static Line line(String name, List<Finding> findings, Statistic statistic) {
    return new Line(name, findings.stream().map(each -> each.value(statistic)).toList());
  }
}
