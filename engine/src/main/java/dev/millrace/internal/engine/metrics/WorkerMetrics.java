package dev.millrace.internal.engine.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// Gauges and counters of a worker, written by its thread and read by anyone.
public final class WorkerMetrics {
  private final Map<FlushCause, AtomicLong> flushes = new EnumMap<>(FlushCause.class);
  private final AtomicLong fetchPauses = new AtomicLong();
  private final AtomicLong fetchPausedNanos = new AtomicLong();
  private final AtomicLong outboxWaits = new AtomicLong();
  private final AtomicLong outboxWaitedNanos = new AtomicLong();
  private final AtomicLong flushNanos = new AtomicLong();
  private final LatencyHistogram pauses = new LatencyHistogram();
  private volatile long predictedRecoveryNanos;
  private volatile boolean settled;
  private volatile long restoreLeftNanos;
  private volatile long lastRestoreNanos;
  private volatile long fetchedBytes;
  private volatile long outboxBytes;
  private volatile boolean waitsForSpace;

  public WorkerMetrics() {
    for (FlushCause cause : FlushCause.values()) {
      flushes.put(cause, new AtomicLong());
    }
  }

  public void predictedRecovery(long nanos) {
    predictedRecoveryNanos = nanos;
  }

  public void settled(boolean now) {
    settled = now;
  }

  public void restoreLeft(long nanos) {
    restoreLeftNanos = nanos;
  }

  public void restored(long durationNanos) {
    lastRestoreNanos = durationNanos;
  }

  public void flushed(FlushCause cause, long durationNanos) {
    Objects.requireNonNull(flushes.get(cause)).incrementAndGet();
    flushNanos.addAndGet(durationNanos);
  }

  public void pausedFor(long nanos) {
    pauses.add(nanos / 1_000_000);
  }

  public void fetchPaused() {
    fetchPauses.incrementAndGet();
  }

  public void fetchPausedFor(long nanos) {
    fetchPausedNanos.addAndGet(nanos);
  }

  public void outboxWaits() {
    outboxWaits.incrementAndGet();
  }

  public void outboxWaited(long nanos) {
    outboxWaitedNanos.addAndGet(nanos);
  }

  public void fetchedBytes(long bytes) {
    fetchedBytes = bytes;
  }

  public void outboxBytes(long bytes) {
    outboxBytes = bytes;
  }

  public void waitsForSpace(boolean waits) {
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

  /// Whether the tasks have begun, and all that they read from was found where they go on.
  public boolean settled() {
    return settled;
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
    return flushes.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /// How often that was done for a reason.
  public long flushes(FlushCause cause) {
    return Objects.requireNonNull(flushes.get(cause)).get();
  }

  /// How long the worker did something else between two pieces of its work, each time and in
  /// milliseconds: took part in a commit, began or finished a flush, closed windows.
  public LatencyHistogram pauses() {
    return pauses;
  }

  /// How often an input was paused because what was fetched had reached its share of memory.
  public long fetchPauses() {
    return fetchPauses.get();
  }

  /// How long some input was paused for that.
  public long fetchPausedNanos() {
    return fetchPausedNanos.get();
  }

  /// How often processing waited because what leaves had reached its share of memory.
  public long outboxWaitCount() {
    return outboxWaits.get();
  }

  /// How long it waited for that; a wait counts when it is over.
  public long outboxWaitedNanos() {
    return outboxWaitedNanos.get();
  }

  /// Memory of batches that were fetched and not processed. As of a moment ago.
  public long fetchedBytes() {
    return fetchedBytes;
  }

  /// What waits to leave, or is on its way to the log and not copied there yet. As of a moment ago.
  public long outboxBytes() {
    return outboxBytes;
  }

  /// How long flushes took together, which are mostly done in the background.
  public long flushDurationNanos() {
    return flushNanos.get();
  }
}
