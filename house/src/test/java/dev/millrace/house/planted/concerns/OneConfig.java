package dev.millrace.house.planted.concerns;

/// A record of settings.
public record OneConfig(int number) {
  /// Returns the defaults.
  public static OneConfig defaults() {
    return new OneConfig(1);
  }
}
