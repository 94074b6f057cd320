package dev.millrace.internal.state;

/// Thrown if a value that was not checked when it was put cannot be written to the changelog. The
/// record that put it is not known any more. After a [TaskState#rollBack], its store checks every
/// put, so processing the same records again finds the record. A task that is created again needs
/// [StateLimits#measureEveryPut].
public final class RefusedAtCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param cause an [EntryTooLargeException] or the exception of the serde
  public RefusedAtCommitException(RuntimeException cause) {
    super("Searching for the record that caused this: " + cause.getMessage(), cause);
  }
}
