package dev.millrace.config;

import java.time.Duration;

/// How a job ends that is told to.
///
/// @param timeout how long the last commit may take before the process ends without it
public record StopConfig(Duration timeout) {

  public static StopConfig defaults() {
    return new StopConfig(Duration.ofSeconds(30));
  }
}
