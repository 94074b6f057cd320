package dev.millrace.benchmarks.containers;

import java.util.List;

/// Something that was measured, several times.
///
/// @param row of the benchmark
/// @param scene in which it was measured: `local state`
/// @param what was measured: `silence of a partition`
/// @param unit of the samples: `s`
/// @param goal that is wanted
/// @param samples in the order in which they were measured
record Finding(Rows row, String scene, String what, String unit, Goal goal, List<Double> samples) {
  Finding {
    samples = List.copyOf(samples);
  }

  /// Which sample counts.
  enum Statistic {
    LEAST,
    MEDIAN,
    P99,
    MOST
  }

  /// What is wanted.
  ///
  /// @param limit not a number if nothing is
  /// @param atMost whether the statistic is to be at most the limit, or at least
  record Goal(Statistic statistic, double limit, boolean atMost) {
    static final Goal NONE = new Goal(Statistic.MEDIAN, Double.NaN, true);

    static Goal mostIs(double limit) {
      return new Goal(Statistic.MOST, limit, true);
    }

    static Goal p99Is(double limit) {
      return new Goal(Statistic.P99, limit, true);
    }

    static Goal medianIs(double limit) {
      return new Goal(Statistic.MEDIAN, limit, true);
    }

    static Goal medianIsAtLeast(double limit) {
      return new Goal(Statistic.MEDIAN, limit, false);
    }

    boolean exists() {
      return !Double.isNaN(limit);
    }
  }

  /// Returns a statistic of the samples; not a number if there are none.
  double value(Statistic statistic) {
    List<Double> sorted = samples.stream().sorted().toList();
    int size = sorted.size();
    if (size == 0) {
      return Double.NaN;
    }
    return switch (statistic) {
      case LEAST -> sorted.getFirst();
      case MEDIAN -> (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
      case P99 -> sorted.get((int) Math.ceil(0.99 * size) - 1);
      case MOST -> sorted.getLast();
    };
  }

  /// Returns whether the goal is reached; true if there is none.
  boolean isReached() {
    double value = value(goal.statistic);
    return !goal.exists() || (goal.atMost ? value <= goal.limit : value >= goal.limit);
  }
}
