package dev.millrace.config;

import java.time.Duration;

/// Which part of the job this process runs.
///
/// @param container this one, from 0
/// @param containers how many there are; the same in every process
/// @param workers threads of a container; the same in every process
/// @param takeOver whether to take the container from a process that runs it
/// @param exchanges how records get from one task to another
/// @param standbys how many other processes keep a copy of each task's state up to date
/// @param affinityWait how long tasks wait for their process if it is gone and restoring their
///   state elsewhere would take longer
public record PlacementConfig(
    int container,
    int containers,
    int workers,
    boolean takeOver,
    Exchanges exchanges,
    int standbys,
    Duration affinityWait) {

  private static final Duration AFFINITY_WAIT = Duration.ofSeconds(30);

  /// How records get from one task to another.
  public enum Exchanges {
    /// By topics; each worker commits for itself.
    TOPICS,
    /// Through the memory of the one container there is; all workers commit together.
    DIRECT
  }

  /// Returns the defaults: one container with two workers, exchanges by topics.
  public static PlacementConfig defaults() {
    return of(0, 1, 2);
  }

  /// Returns a container of several, with exchanges by topics.
  ///
  /// @param container this one, from 0
  /// @param containers how many there are
  /// @param workers threads of each
  public static PlacementConfig of(int container, int containers, int workers) {
    return new PlacementConfig(
        container, containers, workers, false, Exchanges.TOPICS, 0, AFFINITY_WAIT);
  }

  /// Returns a copy for another container, from 0; 0 by default.
  public PlacementConfig withContainer(int newContainer) {
    return new PlacementConfig(
        newContainer, containers, workers, takeOver, exchanges, standbys, affinityWait);
  }

  /// Returns a copy with another number of containers; 1 by default.
  public PlacementConfig withContainers(int newContainers) {
    return new PlacementConfig(
        container, newContainers, workers, takeOver, exchanges, standbys, affinityWait);
  }

  /// Returns a copy with another number of threads of a container; 2 by default.
  public PlacementConfig withWorkers(int newWorkers) {
    return new PlacementConfig(
        container, containers, newWorkers, takeOver, exchanges, standbys, affinityWait);
  }

  /// Returns a copy that takes the container from a process that runs it, or does not, as by
  /// default.
  public PlacementConfig withTakeOver(boolean newTakeOver) {
    return new PlacementConfig(
        container, containers, workers, newTakeOver, exchanges, standbys, affinityWait);
  }

  /// Returns a copy with another way of records from one task to another; topics by default.
  public PlacementConfig withExchanges(Exchanges newExchanges) {
    return new PlacementConfig(
        container, containers, workers, takeOver, newExchanges, standbys, affinityWait);
  }

  /// Returns a copy with another number of other processes that keep a copy of each task's state up
  /// to date, so that they could take it over at once; 0 by default. That of the process counts
  /// which decides at the time.
  public PlacementConfig withStandbys(int newStandbys) {
    return new PlacementConfig(
        container, containers, workers, takeOver, exchanges, newStandbys, affinityWait);
  }

  /// Returns a copy with another time that tasks wait for their process if it is gone and restoring
  /// their state elsewhere would take longer; 30 seconds by default. That of the process counts
  /// which decides at the time.
  public PlacementConfig withAffinityWait(Duration newWait) {
    return new PlacementConfig(
        container, containers, workers, takeOver, exchanges, standbys, newWait);
  }
}
