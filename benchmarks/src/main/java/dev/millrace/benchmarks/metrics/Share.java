package dev.millrace.benchmarks.metrics;

import dev.millrace.benchmarks.process.CpuProfile.Samples;

/// Which part of the processor time goes to something, as far as samples can tell.
///
/// @param least and `most`: between them it lies with a probability of 95 % (Wilson's interval)
record Share(double found, double least, double most) {
  /// What metrics may take.
  static final double MOST_OF_METRICS = 0.02;

  /// Of the normal distribution, for 95 %.
  private static final double Z = 1.96;

  static Share of(Samples samples) {
    double n = samples.all();
    if (n == 0) {
      return new Share(0, 0, 1); // nothing is known
    }
    double found = samples.inside() / n;
    double middle = found + Z * Z / (2 * n);
    double half = Z * Math.sqrt(found * (1 - found) / n + Z * Z / (4 * n * n));
    double all = 1 + Z * Z / n;
    return new Share(found, Math.max(0, (middle - half) / all), (middle + half) / all);
  }

  /// Whether it may be more than metrics may take.
  boolean isTooMuch() {
    return most > MOST_OF_METRICS;
  }
}
