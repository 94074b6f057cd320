package dev.millrace.internal.engine.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import org.junit.jupiter.api.Test;

class CommitLatencyTest {
  @Test
  void aRecordCountsWhenItsCommitIsAcknowledgedAndNotIfItIsRolledBack() {
    LatencyHistogram histogram = new LatencyHistogram();
    CommitLatency latency = new CommitLatency(histogram);
    RecordBatch batch = RecordBatch.create();
    batch.reset(new Split("in", 0), new byte[0], 0);
    batch.append(0, 1_000);
    batch.append(1, 1_500);
    latency.read(batch, 0, 2);
    latency.collected();
    latency.read(batch, 0, 1);
    assertEquals(0, histogram.count());
    latency.committed(2_000);
    assertEquals(2, histogram.count());
    assertEquals(1_023, largest(histogram));

    latency.rolledBack();
    latency.collected();
    latency.committed(9_000);
    assertEquals(2, histogram.count());
  }

  private static long largest(LatencyHistogram histogram) {
    long[] counts = new long[LatencyHistogram.buckets()];
    histogram.addTo(counts);
    return LatencyHistogram.quantile(counts, 1);
  }
}
