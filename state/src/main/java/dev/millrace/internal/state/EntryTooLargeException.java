package dev.millrace.internal.state;

/// Thrown if a key or value is too large for the changelog: bad input, which is rejected before
/// anything is changed.
///
/// It belongs to the record being processed. A value that only a commit finds too large is a
/// [RefusedAtCommitException].
public final class EntryTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message names task and store, the size, the limit and what to do
  public EntryTooLargeException(String message) {
    super(message);
  }
}
