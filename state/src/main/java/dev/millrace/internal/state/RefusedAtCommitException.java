package dev.millrace.internal.state;

/// A value that was not looked at when it was put, and that cannot go into the changelog. Which
/// record put it is not known any more. After a [TaskState#rollBack] its store looks at every put:
/// the same records again name the one at fault. A task that is made anew needs
/// [StateLimits#measureEveryPut].
public final class RefusedAtCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param cause an [EntryTooLargeException] or what the serde says
  public RefusedAtCommitException(RuntimeException cause) {
    super("The record that caused this is looked for: " + cause.getMessage(), cause);
  }
}
