package dev.millrace.spi;

import org.jspecify.annotations.Nullable;

/// A sink outside the log did not take what was delivered. The same is delivered again, some times;
/// then the job stops with this message.
public final class SinkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message names the sink, the file or address, what happened, and the way out
  public SinkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
