package dev.millrace.api.serde;

import org.jspecify.annotations.Nullable;

/// Bytes or a value that a [Serde] cannot handle: bad input, never a fault of the machine.
public final class SerdeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param message what was found and what was expected, without the place: the engine adds it
  public SerdeException(String message) {
    super(message);
  }

  public SerdeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
