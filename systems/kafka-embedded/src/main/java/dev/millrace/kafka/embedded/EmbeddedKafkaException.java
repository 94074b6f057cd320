package dev.millrace.kafka.embedded;

import org.jspecify.annotations.Nullable;

/// Thrown if an embedded broker could not be started or has failed. The kind says how to react.
public final class EmbeddedKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The kinds of failures.
  public enum Kind {
    /// Another broker, in this process or another one, holds the data directory: stop it, or use
    /// another directory.
    DIRECTORY_IN_USE,
    /// The data directory cannot be created, read or written, or holds other files.
    DIRECTORY_UNUSABLE,
    /// Another process listens on the port: use another one, or 0 for any free port.
    PORT_IN_USE,
    /// The broker did not start, or stopped by itself; the cause says why.
    BROKER_FAILED
  }

  private final Kind kind;

  EmbeddedKafkaException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
