package dev.millrace;

/// Thrown if a job cannot start with its configuration; the message says what to change.
public final class JobStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public JobStartException(String message) {
    super(message);
  }
}
