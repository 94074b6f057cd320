package dev.millrace.api;

/// A topology that cannot be built; the message names the operator and the way out.
public final class InvalidTopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidTopologyException(String message) {
    super(message);
  }

  public InvalidTopologyException(String message, Throwable cause) {
    super(message, cause);
  }
}
