package dev.millrace.config;

/// The address for metrics and health.
///
/// @param port on the loopback interface; 0 for a free one, -1 for none
public record HttpConfig(int port) {

  public static HttpConfig defaults() {
    return new HttpConfig(-1);
  }
}
