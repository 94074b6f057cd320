package dev.millrace.config;

import java.time.Duration;

/// How a job ends that is told to.
///
/// @param timeout how long the last commit may take before the process ends without it
public record StopConfig(Duration timeout) {

  /// Returns the defaults: 30 s for the last commit.
  public static StopConfig defaults() {
    return new StopConfig(Duration.ofSeconds(30));
  }

  /// Returns a copy with another time for the last commit; 30 s by default.
  public StopConfig withTimeout(Duration newTimeout) {
    return new StopConfig(newTimeout);
  }
}
