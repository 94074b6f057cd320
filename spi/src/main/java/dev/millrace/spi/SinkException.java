package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// Thrown if a sink outside the log did not accept a delivery. The delivery is repeated a few
/// times; then the job stops with this message.
public final class SinkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message names the sink, the file or address, what happened, and what to do
  public SinkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
