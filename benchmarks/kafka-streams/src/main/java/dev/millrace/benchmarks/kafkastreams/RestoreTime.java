package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.peer.Peer.Restore;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;

/// The time from the begin of the first restore to the end of the last. Thread-safe.
final class RestoreTime implements StateRestoreListener {
  private long firstNanos;
  private long lastNanos;
  private long records;
  private int underWay;

  @Override
  public synchronized void onRestoreStart(
      TopicPartition changelog, String store, long startingOffset, long endingOffset) {
    if (firstNanos == 0) {
      firstNanos = System.nanoTime();
    }
    underWay++;
  }

  @Override
  public void onBatchRestored(
      TopicPartition changelog, String store, long batchEndOffset, long numRestored) {}

  @Override
  public synchronized void onRestoreEnd(
      TopicPartition changelog, String store, long totalRestored) {
    lastNanos = System.nanoTime();
    records += totalRestored;
    underWay--;
  }

  @Override
  public synchronized void onRestoreSuspended(
      TopicPartition changelog, String store, long totalRestored) {
    records += totalRestored;
    underWay--;
  }

  /// Null if none has ended, or some are under way.
  synchronized @Nullable Restore restore() {
    return lastNanos == 0 || underWay > 0
        ? null
        : new Restore(Duration.ofNanos(lastNanos - firstNanos), records);
  }
}
