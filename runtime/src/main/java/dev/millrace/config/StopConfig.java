package dev.millrace.config;

import java.time.Duration;

/// How a job ends that is told to.
///
/// @param timeout how long all of it may take before the process ends without the last commit
/// @param handOver how long this process goes on with its tasks until others are ready to take them
///   over; at most half of `timeout`
public record StopConfig(Duration timeout, Duration handOver) {

  /// Returns the defaults: 30 s for all of it, 5 s of them for the hand-over.
  public static StopConfig defaults() {
    return new StopConfig(Duration.ofSeconds(30), Duration.ofSeconds(5));
  }

  /// Returns a copy with another time for all of it; 30 s by default.
  public StopConfig withTimeout(Duration newTimeout) {
    return new StopConfig(newTimeout, handOver);
  }

  /// Returns a copy with another time until others are ready to take the tasks over; 5 s by
  /// default. Without any, all tasks are let go of at once.
  public StopConfig withHandOver(Duration newHandOver) {
    return new StopConfig(timeout, newHandOver);
  }

  /// Returns how long the hand-over may take, of a time for all of it: at most half.
  public Duration handOverWithin(Duration atMost) {
    Duration half = atMost.dividedBy(2);
    return handOver.compareTo(half) < 0 ? handOver : half;
  }
}
