package dev.millrace.benchmarks.nexmark.model;

import java.util.concurrent.atomic.LongAdder;

/// What is left of results when those that were taken back are left out: the sum of their
/// fingerprints, whatever their order. Thread-safe.
public final class Tally {
  private final LongAdder sum = new LongAdder();
  private final LongAdder results = new LongAdder();
  private final LongAdder takenBack = new LongAdder();

  /// Adds a result, or takes one back.
  public void add(long fingerprint, boolean isRetraction) {
    if (isRetraction) {
      sum.add(-fingerprint);
      takenBack.increment();
    } else {
      sum.add(fingerprint);
      results.increment();
    }
  }

  /// The sum of the fingerprints of those that are left; adding overflows.
  public long sum() {
    return sum.sum();
  }

  /// How many came, those that were taken back later among them.
  public long results() {
    return results.sum();
  }

  /// How many are left.
  public long left() {
    return results.sum() - takenBack.sum();
  }
}
