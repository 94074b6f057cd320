package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// A failure of a task's local state. The kind says what may be done about it.
public final class DiskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What may be done.
  public enum Kind {
    /// What is on disk is proven corrupt: the state may be wiped and restored from the changelog.
    CORRUPT,
    /// Another process holds the directory: nothing may be touched.
    IN_USE,
    /// No space is left: the last ingest did not happen; it may be tried again.
    FULL,
    /// Reading or writing failed in another way: the task must be restarted, nothing may be wiped.
    IO
  }

  private final Kind kind;

  /// @param message names the directory or file, what was found, and the way out
  public DiskException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
