package dev.millrace.internal.engine.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static long quantile(LatencyHistogram histogram, double share) {
    long[] counts = new long[LatencyHistogram.buckets()];
    histogram.addTo(counts);
    return LatencyHistogram.quantile(counts, share);
  }

  @Test
  void withoutValuesThereIsNoQuantile() {
    assertEquals(-1, quantile(new LatencyHistogram(), 0.5));
  }

  @Test
  void quantilesAreRightToAnEighth() {
    Random random = new Random(7);
    LatencyHistogram histogram = new LatencyHistogram();
    long[] values = new long[10_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) Math.exp(random.nextDouble() * 30);
      histogram.add(values[i]);
    }
    Arrays.sort(values);
    assertEquals(values.length, histogram.count());
    for (double share : new double[] {0.001, 0.1, 0.5, 0.9, 0.99, 1}) {
      long exact = values[(int) Math.ceil(values.length * share) - 1];
      long found = quantile(histogram, share);
      assertTrue(
          found >= exact && found <= exact + exact / 8 + 1, share + ": " + found + " " + exact);
    }
  }

  @Test
  void theSmallestAndTheLargestValueHaveABucket() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.add(-5);
    histogram.add(0);
    assertEquals(0, quantile(histogram, 1));
    histogram.add(Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, quantile(histogram, 1));
  }
}
