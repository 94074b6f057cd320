package dev.millrace.spi.settings;

/// A configuration that cannot be used. The message names every key or flag that is wrong, what was
/// expected, and where the value came from.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception for what the message names.
  public ConfigException(String message) {
    super(message);
  }
}
