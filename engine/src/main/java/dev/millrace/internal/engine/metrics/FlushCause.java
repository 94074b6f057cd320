package dev.millrace.internal.engine.metrics;

/// Why a task's state was brought up to date on disk.
public enum FlushCause {
  /// The flush interval was over, or the position on disk was about to grow too old.
  INTERVAL,
  /// A recovery would have taken longer than its target.
  RECOVERY,
  /// What is committed and not on disk reached its share of memory.
  MEMORY
}
