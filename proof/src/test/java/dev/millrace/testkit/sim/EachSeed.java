package dev.millrace.testkit.sim;

import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/// Runs the same under one seed after the other.
final class EachSeed {
  private EachSeed() {}

  /// Runs it under each seed.
  ///
  /// @throws AssertionError with the seed, if a run throws anything
  static void run(long from, int seeds, LongConsumer run) {
    sum(
        from,
        seeds,
        seed -> {
          run.accept(seed);
          return 0;
        });
  }

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
