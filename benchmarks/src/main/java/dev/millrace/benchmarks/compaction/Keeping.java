package dev.millrace.benchmarks.compaction;

/// What a window keeps until it closes (Chronarakis et al., section II).
public enum Keeping {
  /// One value a key: its count.
  FOLDING,
  /// Every tuple.
  RETAINING
}
