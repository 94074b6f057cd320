package dev.millrace.internal.yarn;

/// Something a person can put right; the message says how.
final class YarnProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  YarnProblem(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
