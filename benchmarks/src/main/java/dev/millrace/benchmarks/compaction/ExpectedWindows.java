package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// One count for each key and window that has tuples: how many.
final class ExpectedWindows implements Check.Expected {
  private final long startMillis;
  private final long[][] counts;
  private final long records;

  /// @param counts by window and key; changed
  ExpectedWindows(long startMillis, long[][] counts) {
    this.startMillis = startMillis;
    this.counts = counts;
    records =
        Arrays.stream(counts).flatMapToLong(Arrays::stream).filter(count -> count > 0).count();
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    accept(Event.toLong(record.key(), 0), WindowCount.of(record.value()));
  }

  void accept(long key, WindowCount result) {
    long window = (result.startMillis() - startMillis) / Tuples.WINDOW_MILLIS;
    if (window < 0 || window >= counts.length || key < 0 || key >= counts[(int) window].length) {
      throw new IllegalStateException(
          "Key %d has a count for the window at %d ms, which has no tuples"
              .formatted(key, result.startMillis()));
    }
    long expected = counts[(int) window][(int) key];
    if (expected == 0 || expected != result.count()) {
      throw new IllegalStateException(
          "Key %d has %,d tuples in the window at %d ms, where %s"
              .formatted(
                  key,
                  result.count(),
                  result.startMillis(),
                  expected == 0 ? "there are no tuples left" : "%,d went in".formatted(expected)));
    }
    counts[(int) window][(int) key] = 0;
  }

  @Override
  public void finish() {
    // As many results as windows and keys with tuples, none twice: all are there.
  }
}
