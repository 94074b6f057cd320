package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// A failure of a blob store, or of what was found in it. The kind says what may be done about it.
public final class BlobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What may be done.
  public enum Kind {
    /// There is no blob of that name: go on without it.
    MISSING,
    /// The store did not answer, or refused: the same may be tried again later.
    UNAVAILABLE,
    /// What lies there is not what was put: use another one.
    CORRUPT
  }

  private final Kind kind;

  /// @param message names the store and the blob, what was found, and the way out
  public BlobException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
