package dev.millrace.spi;

import dev.millrace.spi.RecordBatch.Recycler;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Keeps released batches for reuse. Thread-safe: any thread may release a batch.
///
/// With assertions enabled, a released batch is overwritten.
public final class BatchPool {
  private static final int KEPT = 256;
  private static final long KEPT_BYTES = 32L << 20;
  private static final int LARGEST_KEPT_BYTES = 4 << 20;

  private final BlockingQueue<RecordBatch> free = new ArrayBlockingQueue<>(KEPT);
  private final AtomicLong keptBytes = new AtomicLong();
  private final long mostBytes;
  private final Recycler released;

  /// Creates a pool that keeps up to 32 MB.
  public BatchPool() {
    this(KEPT_BYTES);
  }

  /// @param mostBytes the largest memory of unused batches, in bytes
  public BatchPool(long mostBytes) {
    this(mostBytes, batch -> {});
  }

  /// @param released called with each batch that is released, with its content; must not keep the
  ///   batch, and must be thread-safe
  public BatchPool(long mostBytes, Recycler released) {
    this.mostBytes = mostBytes;
    this.released = released;
  }

  /// Returns an empty batch with one reference.
  public RecordBatch take(Split split, byte[] detail, long firstOffset) {
    RecordBatch batch = free.poll();
    if (batch == null) {
      batch = new RecordBatch(this::recycle, 256, 32 << 10);
    } else {
      keptBytes.addAndGet(-batch.memoryBytes());
    }
    return batch.reset(split, detail, firstOffset);
  }

  /// Returns the memory of the unused batches, in bytes.
  public long keptBytes() {
    return keptBytes.get();
  }

  private void recycle(RecordBatch batch) {
    released.recycle(batch);
    assert overwritten(batch);
    if (batch.data().array().length > LARGEST_KEPT_BYTES) {
      return;
    }
    long bytes = batch.memoryBytes();
    // A full pool lets the batch go to the garbage collector.
    if (keptBytes.addAndGet(bytes) > mostBytes || !free.offer(batch)) {
      keptBytes.addAndGet(-bytes);
    }
  }

  private static boolean overwritten(RecordBatch batch) {
    batch.poison();
    return true;
  }
}
