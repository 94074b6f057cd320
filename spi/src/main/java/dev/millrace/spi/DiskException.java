package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// Thrown if a task's local state fails. The kind says how to react.
public final class DiskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The kinds of failures.
  public enum Kind {
    /// The content of the disk is proven corrupt: the state may be wiped and restored from the
    /// changelog.
    CORRUPT,
    /// Another process holds the directory: nothing may be changed.
    IN_USE,
    /// No space is left: the last ingest did not take effect, and may be tried again.
    FULL,
    /// Reading or writing failed in another way: the task must be restarted, nothing may be wiped.
    IO
  }

  private final Kind kind;

  /// @param message names the directory or file, what was found, and what to do
  public DiskException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
