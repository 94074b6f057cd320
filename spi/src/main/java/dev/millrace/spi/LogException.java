package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// A failure of the log. The kind says what may be done about it.
public final class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What may be done.
  public enum Kind {
    /// The log did not answer in time, or not now: the same may be tried again.
    UNAVAILABLE,
    /// Another writer with the same transactional id took over: final for this one.
    FENCED,
    /// The position is not in the log any more, or belongs to another topic of that name: data was
    /// lost or deleted. Never mended by moving on in silence.
    POSITION_LOST,
    /// A topic or partition does not exist.
    MISSING,
    /// A record is larger than the log takes.
    TOO_LARGE,
    /// Not permitted, or settings that cannot work: a person must act.
    REFUSED
  }

  private final Kind kind;
  private final transient @Nullable Split split;

  /// @param split the only split this failure is about, or null
  /// @param message names topic, partition and offset, what was found, and the way out
  public LogException(Kind kind, @Nullable Split split, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.split = split;
  }

  /// @param message names topic, partition and offset, what was found, and the way out
  public LogException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, null, message, cause);
  }

  public LogException(Kind kind, String message) {
    this(kind, message, null);
  }

  public Kind kind() {
    return kind;
  }

  /// The split this failure is about, if it leaves all others alone.
  public @Nullable Split split() {
    return split;
  }
}
