package dev.millrace.internal.engine.commit;

/// A task that cannot begin until a person has done something; the message says what.
public final class CannotBeginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CannotBeginException(String message) {
    super(message);
  }
}
