package dev.millrace.benchmarks.state;

import dev.millrace.benchmarks.process.Parent;
import java.util.function.LongSupplier;

/// Tells the parent how fast records are processed once the state has its size, in parts of equal
/// length.
final class Segments {
  private Segments() {}

  /// Returns when all parts are told.
  ///
  /// @param processed how many records were by now
  /// @param before how many come first
  static void tell(LongSupplier processed, long before, long records, int segments)
      throws InterruptedException {
    await(processed, before);
    for (int i = 0; i < segments; i++) {
      long start = System.nanoTime();
      long from = processed.getAsLong();
      await(processed, before + records * (i + 1) / segments);
      double seconds = (System.nanoTime() - start) / 1e9;
      Parent.tell("segment-" + i, (processed.getAsLong() - from) / seconds);
    }
  }

  private static void await(LongSupplier processed, long wanted) throws InterruptedException {
    while (processed.getAsLong() < wanted) {
      Parent.tell("processed", processed.getAsLong());
      Thread.sleep(5);
    }
  }
}
