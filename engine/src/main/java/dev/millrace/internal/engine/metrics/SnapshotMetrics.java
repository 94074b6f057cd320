package dev.millrace.internal.engine.metrics;

import java.util.concurrent.atomic.AtomicLong;

/// Counters of a task's snapshots, written by whoever takes or uses one and read by anyone.
public final class SnapshotMetrics {
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong copiedBytes = new AtomicLong();
  private volatile long lastOffset = -1;
  private volatile long restoredOffset = -1;

  public void addTaken(long offset, long bytes) {
    taken.incrementAndGet();
    copiedBytes.addAndGet(bytes);
    lastOffset = offset;
  }

  public void addFailed() {
    failed.incrementAndGet();
  }

  public void restoredFrom(long offset) {
    restoredOffset = offset;
  }

  /// Snapshots in the blob store, whole.
  public long taken() {
    return taken.get();
  }

  /// Snapshots that could not be taken or used, because the blob store or the disk failed.
  public long failed() {
    return failed.get();
  }

  /// What was copied into the blob store for them.
  public long copiedBytes() {
    return copiedBytes.get();
  }

  /// The offset of the changelog that the last one reaches; -1 if none was taken.
  public long lastOffset() {
    return lastOffset;
  }

  /// The offset of the changelog of the snapshot that the task's disk was made of; -1 if it was
  /// not.
  public long restoredOffset() {
    return restoredOffset;
  }
}
