package dev.millrace.engine.loop;

import java.util.concurrent.atomic.AtomicLong;

/// Gauges and counters of a worker, written by its thread and read by anyone.
public final class WorkerMetrics {
  private final AtomicLong flushes = new AtomicLong();
  private final AtomicLong flushNanos = new AtomicLong();
  private volatile long predictedRecoveryNanos;
  private volatile long restoreLeftNanos;
  private volatile long lastRestoreNanos;
  private volatile boolean waitsForSpace;

  void predictedRecovery(long nanos) {
    predictedRecoveryNanos = nanos;
  }

  void restoreLeft(long nanos) {
    restoreLeftNanos = nanos;
  }

  void restored(long durationNanos) {
    lastRestoreNanos = durationNanos;
  }

  void flushed(long durationNanos) {
    flushes.incrementAndGet();
    flushNanos.addAndGet(durationNanos);
  }

  void waitsForSpace(boolean waits) {
    waitsForSpace = waits;
  }

  /// Whether the disk of the worker's tasks was full when it was last written to.
  public boolean waitsForSpace() {
    return waitsForSpace;
  }

  /// How long a recovery of the worker's tasks would take if its process were killed now, from the
  /// start of its engine to the first record.
  public long predictedRecoveryNanos() {
    return predictedRecoveryNanos;
  }

  /// How long the restore under way will take at the pace it has; 0 if none is, -1 if that cannot
  /// be said yet.
  public long restoreLeftNanos() {
    return restoreLeftNanos;
  }

  /// How long the last replay of changelogs took, from the open disks to the last record.
  public long lastRestoreNanos() {
    return lastRestoreNanos;
  }

  /// How often a task's state was brought up to date on disk.
  public long flushes() {
    return flushes.get();
  }

  /// How long that took together.
  public long flushDurationNanos() {
    return flushNanos.get();
  }
}
