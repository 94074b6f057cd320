package dev.millrace.internal.engine.settings;

import dev.millrace.internal.state.StateLimits;

/// What the workers of a container may use. Sizes are in bytes.
///
/// @param ofTask of each task's state
/// @param fetchedBytes of each worker, for batches that were fetched and not processed; beyond it
///   its inputs are paused
/// @param outboxBytes of each worker, for what leaves its tasks, until the log's client has copied
///   it; beyond it the worker waits
public record MemoryLimits(StateLimits ofTask, long fetchedBytes, long outboxBytes) {

  public MemoryLimits {
    if (fetchedBytes < 0 || outboxBytes < 0) {
      throw new IllegalArgumentException("A share of memory must not be negative.");
    }
  }

  /// Returns the defaults of state, 64 MB of fetched batches and an outbox of 16 MB.
  public static MemoryLimits defaults() {
    return new MemoryLimits(StateLimits.defaults(), 64L << 20, 16L << 20);
  }

  /// Returns the same shares of workers, with others of tasks.
  public MemoryLimits withOfTask(StateLimits limits) {
    return new MemoryLimits(limits, fetchedBytes, outboxBytes);
  }

  /// Returns the same shares of tasks and of what was fetched, with another outbox.
  public MemoryLimits withOutboxBytes(long bytes) {
    return new MemoryLimits(ofTask, fetchedBytes, bytes);
  }
}
