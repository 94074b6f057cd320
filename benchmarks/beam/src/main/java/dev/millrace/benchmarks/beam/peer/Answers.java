package dev.millrace.benchmarks.beam.peer;

import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.nexmark.model.KnownSize;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.TimestampedValue;

/// Adds up a hash of each result, so that those of two runs can be compared, whatever their order.
final class Answers extends DoFn<TimestampedValue<KnownSize>, Void> {
  private static final long serialVersionUID = 1;

  /// The counter with the sum.
  static final String SUM = "answers";

  private static final long PRIME = 1_125_899_906_842_597L;

  /// So that sums of some billion results have room.
  private static final int UNUSED_BITS = 24;

  private final Counter sum = Metrics.counter(Answers.class, SUM);

  /// Takes a result.
  @ProcessElement
  public void process(@Element TimestampedValue<KnownSize> result) {
    long hash = PRIME;
    String text = result.getValue() + " at " + result.getTimestamp().getMillis();
    for (int i = 0; i < text.length(); i++) {
      hash = 31 * hash + text.charAt(i);
    }
    sum.inc(hash >>> UNUSED_BITS);
  }
}
