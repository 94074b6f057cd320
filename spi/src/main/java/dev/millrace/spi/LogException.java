package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// Thrown if the log fails. The kind says how to react.
public final class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The kinds of failures.
  public enum Kind {
    /// The log did not answer in time, or cannot answer now: try again.
    UNAVAILABLE,
    /// Another writer with the same transactional id took over: final for this one.
    FENCED,
    /// The position is not in the log any more, or belongs to another topic of that name: data was
    /// lost or deleted. Never skip it silently.
    POSITION_LOST,
    /// A topic or partition does not exist.
    MISSING,
    /// A record is larger than the log accepts.
    TOO_LARGE,
    /// Not permitted, or settings that cannot work: a person must act.
    REFUSED
  }

  private final Kind kind;
  private final transient @Nullable Split split;

  /// @param split the only split this failure is about, or null
  /// @param message names topic, partition and offset, what was found, and what to do
  public LogException(Kind kind, @Nullable Split split, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.split = split;
  }

  /// @param message names topic, partition and offset, what was found, and what to do
  public LogException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, null, message, cause);
  }

  public LogException(Kind kind, String message) {
    this(kind, message, null);
  }

  public Kind kind() {
    return kind;
  }

  /// Returns the split of this failure, or null if it is not limited to one split.
  public @Nullable Split split() {
    return split;
  }
}
