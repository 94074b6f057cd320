package dev.millrace.testkit.sim;

import java.util.function.LongUnaryOperator;

/// Runs the same under one seed after the other.
final class EachSeed {
  private EachSeed() {}

  /// Adds up what is counted in the run of each seed.
  ///
  /// @throws AssertionError with the seed, if a run throws anything
  static long sum(long from, int seeds, LongUnaryOperator run) {
    long sum = 0;
    for (long seed = from; seed < from + seeds; seed++) {
      try {
        sum += run.applyAsLong(seed);
      } catch (RuntimeException | AssertionError e) { // outermost: any failure is one of the seed
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    return sum;
  }
}
