package dev.millrace;

/// The state of a job.
public enum JobState {
  /// It joins the other processes, fences earlier ones, or restores state.
  STARTING,
  RUNNING,
  /// It makes its last commit.
  STOPPING,
  /// Its bounded input has ended, and all results are committed. Final.
  COMPLETED,
  /// It was stopped on request. Final.
  STOPPED,
  /// It failed. Final; [Job#failure] says why.
  FAILED;

  public boolean isFinal() {
    return this == COMPLETED || this == STOPPED || this == FAILED;
  }
}
