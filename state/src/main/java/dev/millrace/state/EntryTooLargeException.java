package dev.millrace.state;

/// A key or value too large for the changelog: bad input, refused before anything changed.
///
/// Thrown by a `put`, it belongs to the record being processed. Thrown by [TaskState#collect], the
/// record is not known any more; see there for the way out.
public final class EntryTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message names task and store, the size, the limit and what may be done
  public EntryTooLargeException(String message) {
    super(message);
  }
}
