package dev.millrace;

/// Where a job stands.
public enum JobState {
  /// Waiting for its container, fencing, restoring.
  STARTING,
  RUNNING,
  /// Committing what was processed, for the last time.
  STOPPING,
  /// Its bounded input has ended, and all that follows from it is committed. Final.
  COMPLETED,
  /// It was asked to stop, and did. Final.
  STOPPED,
  /// It could not go on. Final; [Job#failure] says why.
  FAILED;

  public boolean isFinal() {
    return this == COMPLETED || this == STOPPED || this == FAILED;
  }
}
