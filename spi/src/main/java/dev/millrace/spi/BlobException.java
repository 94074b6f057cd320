package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// Thrown if a blob store fails or returns corrupt content. The kind says how to react.
public final class BlobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The kinds of failures.
  public enum Kind {
    /// There is no blob of that name: continue without it.
    MISSING,
    /// The store did not answer, or refused: try again later.
    UNAVAILABLE,
    /// The content is not what was put: use another blob.
    CORRUPT
  }

  private final Kind kind;

  /// @param message names the store and the blob, what was found, and what to do
  public BlobException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
