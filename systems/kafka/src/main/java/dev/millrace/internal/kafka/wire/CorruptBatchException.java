package dev.millrace.internal.kafka.wire;

/// Thrown if bytes are not a record batch, or not the one that was written.
public final class CorruptBatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message what is wrong, at which offset
  CorruptBatchException(String message, Throwable cause) {
    super(message, cause);
  }

  /// @param message what is wrong, at which offset
  CorruptBatchException(String message) {
    super(message);
  }
}
