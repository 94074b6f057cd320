package dev.millrace.cli;

/// Something a person can put right; the message says how. It is shown without a stack trace.
final class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  UserException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
