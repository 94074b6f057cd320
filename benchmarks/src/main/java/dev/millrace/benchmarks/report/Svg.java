package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import java.util.List;
import java.util.Locale;

/// Draws a plot as SVG. By hand: the libraries for it draw with AWT, which needs fonts that servers
/// do not have.
final class Svg {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 190;
  private static final int TOP = 48;
  private static final int BOTTOM = 60;
  private static final int STEPS = 5;
  private static final List<String> COLOURS =
      List.of(
          "#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6d597a", "#444444", "#17becf", "#bc8f5f");

  private final Figure figure;
  private final Plot plot;
  private final double most;
  private final StringBuilder out = new StringBuilder();

  private Svg(Figure figure) {
    this.figure = figure;
    plot = figure.plot();
    most =
        roundUp(
            plot.lines().stream()
                .flatMap(line -> line.ys().stream())
                .mapToDouble(y -> y)
                .filter(Double::isFinite)
                .max()
                .orElse(1));
  }

  static String of(Figure figure) {
    return new Svg(figure).draw();
  }

  private static double roundUp(double value) {
    double unit = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
    for (double step : new double[] {1, 2, 2.5, 5}) {
      if (value <= step * unit) {
        return step * unit;
      }
    }
    return 10 * unit;
  }

  private String draw() {
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='13'>",
        WIDTH, HEIGHT);
    add("<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT);
    text(WIDTH / 2.0, 24, "middle", figure.title());
    axes();
    for (int i = 0; i < plot.lines().size(); i++) {
      line(plot.lines().get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    add("</svg>");
    return out.toString();
  }

  private void axes() {
    for (int step = 0; step <= STEPS; step++) {
      double value = most * step / STEPS;
      add(
          "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#dddddd'/>",
          LEFT, WIDTH - RIGHT, y(value), y(value));
      text(LEFT - 8, y(value) + 4, "end", number(value));
    }
    for (int i = 0; i < plot.xs().size(); i++) {
      text(x(i), HEIGHT - BOTTOM + 20, "middle", plot.xs().get(i));
    }
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", plot.xTitle());
    add(
        "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>%s</text>",
        HEIGHT / 2, escaped(plot.yTitle()));
  }

  private void line(Line line, String colour, int index) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < line.ys().size(); i++) {
      if (line.ys().get(i).isNaN()) {
        continue;
      }
      double y = y(line.ys().get(i));
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y));
      add("<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>", x(i), y, colour);
    }
    add(
        "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
        points.toString().strip(), colour);
    double y = TOP + 20.0 * index;
    add(
        "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='%s' stroke-width='3'/>",
        WIDTH - RIGHT + 14, WIDTH - RIGHT + 34, y, y, colour);
    text(WIDTH - RIGHT + 40, y + 4, "start", line.name());
  }

  private double x(int index) {
    double width = WIDTH - LEFT - RIGHT;
    return LEFT + width * (index + 0.5) / plot.xs().size();
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most;
  }

  private void text(double x, double y, String anchor, String text) {
    add("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped(text));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
