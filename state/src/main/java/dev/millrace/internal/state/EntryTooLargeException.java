package dev.millrace.internal.state;

/// A key or value too large for the changelog: bad input, refused before anything changed.
///
/// It belongs to the record being processed. A value that only a commit finds too large is a
/// [RefusedAtCommitException].
public final class EntryTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message names task and store, the size, the limit and what may be done
  public EntryTooLargeException(String message) {
    super(message);
  }
}
