package dev.millrace.internal.engine.metrics;

import dev.millrace.spi.RecordBatch;
import java.util.Arrays;

/// How long the records of a task's sources wait until what they caused is committed: from their
/// time in the log to the acknowledgement. Of each slice the first and the last record are looked
/// at; if there are very many slices in a commit, of the first of them.
public final class CommitLatency {
  private static final int MOST = 512;

  private final LatencyHistogram histogram;
  private final long[] times = new long[MOST];
  private int read;
  private int collected;

  /// @param histogram in milliseconds
  public CommitLatency(LatencyHistogram histogram) {
    this.histogram = histogram;
  }

  /// A slice of a source's records was processed.
  public void read(RecordBatch batch, int from, int to) {
    if (to > from && read + 2 <= MOST) {
      times[read++] = batch.timestamp(from);
      times[read++] = batch.timestamp(to - 1);
    }
  }

  /// What was read until now goes into a commit.
  public void collected() {
    collected = read;
  }

  /// That commit was acknowledged.
  public void committed(long nowMillis) {
    for (int i = 0; i < collected; i++) {
      histogram.add(nowMillis - times[i]);
    }
    System.arraycopy(times, collected, times, 0, read - collected);
    read -= collected;
    collected = 0;
  }

  /// What was not committed is read again.
  public void rolledBack() {
    Arrays.fill(times, 0);
    read = 0;
    collected = 0;
  }
}
