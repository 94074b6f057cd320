package dev.millrace.testkit.sim;

/// A simulated process dies at what it does.
final class DiedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DiedException() {
    super(null, null, false, false);
  }
}
