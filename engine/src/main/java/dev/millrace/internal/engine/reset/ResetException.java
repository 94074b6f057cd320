package dev.millrace.internal.engine.reset;

/// A reset or rename that could not be done; the message says why, and what is so now.
public final class ResetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ResetException(String message) {
    super(message);
  }
}
