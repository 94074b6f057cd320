package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import java.util.List;
import java.util.Locale;

/// Draws plots as SVG, one below the other. By hand: the libraries for it draw with AWT, which
/// needs fonts that servers do not have.
final class Svg {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 190;
  private static final int TOP = 48;
  private static final int BOTTOM = 60;

  /// More points than these are too close for marks, and more names than these for names.
  private static final int MOST_MARKS = 30;

  private static final int MOST_NAMES = 12;

  /// What a character of a name takes, about.
  private static final double NAME_CHARACTER = 7;

  private static final List<String> COLOURS =
      List.of(
          "#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6d597a", "#444444", "#17becf", "#bc8f5f");

  private final Plot plot;
  private final Axis axis;
  private final StringBuilder out;

  private Svg(Plot plot, StringBuilder out) {
    this.plot = plot;
    this.out = out;
    axis = Axis.of(plot);
  }

  static String of(Figure figure) {
    StringBuilder out = new StringBuilder();
    int height = HEIGHT * figure.plots().size();
    add(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='13'>",
        WIDTH,
        height);
    add(out, "<rect width='%d' height='%d' fill='white'/>", WIDTH, height);
    text(out, WIDTH / 2.0, 24, "middle", figure.title());
    for (int i = 0; i < figure.plots().size(); i++) {
      if (i > 0) {
        add(out, "<g transform='translate(0 %d)'>", i * HEIGHT);
      }
      new Svg(figure.plots().get(i), out).draw();
      if (i > 0) {
        add(out, "</g>");
      }
    }
    add(out, "</svg>");
    return out.toString();
  }

  private void draw() {
    axes();
    for (int i = 0; i < plot.lines().size(); i++) {
      line(plot.lines().get(i), COLOURS.get(i % COLOURS.size()), i);
    }
  }

  private void axes() {
    for (double value : axis.marks()) {
      add(
          out,
          "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#dddddd'/>",
          LEFT,
          WIDTH - RIGHT,
          y(value),
          y(value));
      text(out, LEFT - 8, y(value) + 4, "end", number(value));
    }
    int step = (plot.xs().size() + MOST_NAMES - 1) / MOST_NAMES;
    boolean slanted = longest(plot.xs()) * NAME_CHARACTER > x(step) - x(0);
    for (int i = 0; i < plot.xs().size(); i += step) {
      if (slanted) {
        slanted(x(i), plot.xs().get(i));
      } else {
        text(out, x(i), HEIGHT - BOTTOM + 20, "middle", plot.xs().get(i));
      }
    }
    text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - (slanted ? 4 : 14), "middle", plot.xTitle());
    add(
        out,
        "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>%s</text>",
        HEIGHT / 2,
        escaped(plot.yTitle()));
  }

  private static int longest(List<String> names) {
    return names.stream().mapToInt(String::length).max().orElse(0);
  }

  /// Names that would cover each other beside each other.
  private void slanted(double x, String name) {
    add(
        out,
        "<text transform='translate(%.1f %d) rotate(-20)' text-anchor='end'"
            + " font-size='10'>%s</text>",
        x + 4,
        HEIGHT - BOTTOM + 14,
        escaped(name));
  }

  private void line(Line line, String colour, int index) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < line.ys().size(); i++) {
      if (!axis.shows(line.ys().get(i))) {
        continue;
      }
      double y = y(line.ys().get(i));
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y));
      if (plot.xs().size() <= MOST_MARKS) {
        add(out, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>", x(i), y, colour);
      }
    }
    add(
        out,
        "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
        points.toString().strip(),
        colour);
    double y = TOP + 20.0 * index;
    add(
        out,
        "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='%s' stroke-width='3'/>",
        WIDTH - RIGHT + 14,
        WIDTH - RIGHT + 34,
        y,
        y,
        colour);
    text(out, WIDTH - RIGHT + 40, y + 4, "start", line.name());
  }

  private double x(int index) {
    double width = WIDTH - LEFT - RIGHT;
    return LEFT + width * (index + 0.5) / plot.xs().size();
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * axis.share(value);
  }

  private static void text(StringBuilder out, double x, double y, String anchor, String text) {
    add(out, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped(text));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, value < 0.01 ? "%.0e" : "%.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static void add(StringBuilder out, String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
