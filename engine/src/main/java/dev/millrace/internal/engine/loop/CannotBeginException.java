package dev.millrace.internal.engine.loop;

/// A task that cannot begin until a person has done something; the message says what.
final class CannotBeginException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotBeginException(String message) {
    super(message);
  }
}
