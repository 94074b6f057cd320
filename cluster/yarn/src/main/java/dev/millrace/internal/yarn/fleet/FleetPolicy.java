package dev.millrace.internal.yarn.fleet;

import java.time.Duration;

/// How long what is waited for, and how often what may fail.
///
/// @param affinityWait how long a process is asked for only on the host that has its state
/// @param shortestPause before a process that has failed is asked for again; doubles with each
///   failure
/// @param longestPause what it grows to at most
/// @param longLife after which a failure counts as the first one again
/// @param shortLife within which a process that fails has hardly begun, which counts against its
///   host
/// @param hostFailures so many of them within the window, and the host is avoided
/// @param hostWindow how long such a failure counts
/// @param avoidFor how long a host is avoided
/// @param giveUpAfter so many failures of a process without a long life between them, and it is not
///   started again
/// @param adoptionWait how long a new master waits to hear of a process that the former one has
///   started
public record FleetPolicy(
    Duration affinityWait,
    Duration shortestPause,
    Duration longestPause,
    Duration longLife,
    Duration shortLife,
    int hostFailures,
    Duration hostWindow,
    Duration avoidFor,
    int giveUpAfter,
    Duration adoptionWait) {

  /// Returns the defaults.
  public static FleetPolicy defaults() {
    return new FleetPolicy(
        Duration.ofSeconds(30),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10),
        3,
        Duration.ofMinutes(10),
        Duration.ofMinutes(10),
        20,
        Duration.ofSeconds(30));
  }

  /// Returns a copy with another wait for the host that has the state; 30 seconds by default.
  public FleetPolicy withAffinityWait(Duration wait) {
    return new FleetPolicy(
        wait,
        shortestPause,
        longestPause,
        longLife,
        shortLife,
        hostFailures,
        hostWindow,
        avoidFor,
        giveUpAfter,
        adoptionWait);
  }

  /// Returns a copy with other limits of failures.
  ///
  /// @param ofHost 3 by default
  /// @param ofProcess 20 by default
  public FleetPolicy withFailures(int ofHost, int ofProcess) {
    return new FleetPolicy(
        affinityWait,
        shortestPause,
        longestPause,
        longLife,
        shortLife,
        ofHost,
        hostWindow,
        avoidFor,
        ofProcess,
        adoptionWait);
  }
}
