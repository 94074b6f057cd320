package dev.millrace.engine.loop;

/// A value that was not looked at when it was put, and that cannot go into the changelog. After a
/// roll-back its store looks at every put: the same records again name the one at fault.
final class RefusedAtCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedAtCommitException(RuntimeException cause) {
    super("The record that caused this is looked for: " + cause.getMessage(), cause);
  }
}
