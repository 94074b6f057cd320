package dev.millrace.benchmarks.breakeven;

/// What was seen of one size of entries in one run.
///
/// @param checkpointBytes of a snapshot of the whole state
/// @param peakBytes most resident memory of the job
record Measured(double checkpointBytes, Changelog changelog, long peakBytes) {
  /// Changes a second at which a checkpoint so often writes as much as the changelog.
  double breakEven(double intervalSeconds) {
    return changelog.changesFor(Formula.checkpoint(checkpointBytes, intervalSeconds));
  }
}
