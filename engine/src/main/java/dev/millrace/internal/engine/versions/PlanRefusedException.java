package dev.millrace.internal.engine.versions;

/// A plan that does not go on from the state there is; the message says what differs and what to
/// do.
public final class PlanRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PlanRefusedException(String message) {
    super(message);
  }
}
