package dev.millrace.internal.engine.versions;

/// A plan that does not go on from the state there is; the message says what differs and what to
/// do.
public final class PlanRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofPartitions;

  PlanRefusedException(String message) {
    this(message, false);
  }

  PlanRefusedException(String message, boolean ofPartitions) {
    super(message);
    this.ofPartitions = ofPartitions;
  }

  /// Returns whether it is the number of partitions that makes another plan.
  public boolean isOfPartitions() {
    return ofPartitions;
  }
}
