package dev.millrace;

/// A job that cannot start as it is configured; the message says what to change.
public final class JobStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public JobStartException(String message) {
    super(message);
  }
}
