package dev.millrace.benchmarks.breakeven;

/// Section 5 of Noghabi et al.: what checkpoints of the whole state write, and what a changelog
/// does.
final class Formula {
  private Formula() {}

  /// Bytes a second of checkpoints.
  static double checkpoint(double stateBytes, double intervalSeconds) {
    return stateBytes / intervalSeconds;
  }

  /// Bytes a second of a changelog.
  static double changelog(double changesPerSecond, double entryBytes) {
    return changesPerSecond * entryBytes;
  }

  /// Changes a second at which both write the same; below it a changelog writes less.
  static double breakEven(double stateBytes, double intervalSeconds, double entryBytes) {
    return checkpoint(stateBytes, intervalSeconds) / entryBytes;
  }
}
