package dev.millrace.spi;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// Keeps released batches for their next use. Thread-safe: batches may be released anywhere.
///
/// Assertions enabled, a released batch is overwritten.
public final class BatchPool {
  private static final int KEPT = 64;
  private static final int LARGEST_KEPT_BYTES = 4 << 20;

  private final BlockingQueue<RecordBatch> free = new ArrayBlockingQueue<>(KEPT);

  /// An empty batch with one reference.
  public RecordBatch take(Split split, byte[] detail, long firstOffset) {
    RecordBatch batch = free.poll();
    if (batch == null) {
      batch = new RecordBatch(this::recycle, 256, 32 << 10);
    }
    return batch.reset(split, detail, firstOffset);
  }

  private void recycle(RecordBatch batch) {
    assert overwritten(batch);
    if (batch.data().array().length <= LARGEST_KEPT_BYTES) {
      var _ = free.offer(batch); // a full pool lets the batch go to the garbage collector
    }
  }

  private static boolean overwritten(RecordBatch batch) {
    batch.poison();
    return true;
  }
}
