package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The values of a plot: from which to which, and where each lies between them.
///
/// @param least at the bottom, a power of ten where they are laid out by these
/// @param most at the top
record Axis(Scale scale, double least, double most) {
  private static final int STEPS = 5;
  private static final double NEXT_TO_NOTHING = 1e-9;

  static Axis of(Plot plot) {
    boolean powers = plot.scale() == Scale.LOGARITHMIC;
    double[] values =
        plot.lines().stream()
            .flatMap(line -> line.ys().stream())
            .mapToDouble(y -> y)
            .filter(y -> Double.isFinite(y) && (!powers || y > 0))
            .toArray();
    double most = DoubleStream.of(values).max().orElse(1);
    if (!powers) {
      return new Axis(plot.scale(), 0, roundUp(most));
    }
    double least = Math.pow(10, Math.floor(Math.log10(DoubleStream.of(values).min().orElse(1))));
    double above = Math.pow(10, Math.ceil(Math.log10(most)));
    return new Axis(plot.scale(), least, Math.max(above, 10 * least));
  }

  private static double roundUp(double value) {
    double unit = Math.pow(10, Math.floor(Math.log10(Math.max(value, NEXT_TO_NOTHING))));
    for (double step : new double[] {1, 2, 2.5, 5}) {
      if (value <= step * unit) {
        return step * unit;
      }
    }
    return 10 * unit;
  }

  /// Whether a value has a place on it.
  boolean shows(double value) {
    return Double.isFinite(value) && (scale == Scale.LINEAR || value > 0);
  }

  /// Where a value lies: 0 at the bottom, 1 at the top.
  double share(double value) {
    return switch (scale) {
      case LINEAR -> value / most;
      case LOGARITHMIC -> Math.log10(value / least) / Math.log10(most / least);
    };
  }

  /// The values that have a line of their own.
  double[] marks() {
    return switch (scale) {
      case LINEAR -> IntStream.rangeClosed(0, STEPS).mapToDouble(i -> most * i / STEPS).toArray();
      case LOGARITHMIC ->
          IntStream.rangeClosed(0, (int) Math.round(Math.log10(most / least)))
              .mapToDouble(power -> least * Math.pow(10, power))
              .toArray();
    };
  }
}
