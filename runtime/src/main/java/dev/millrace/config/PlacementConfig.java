package dev.millrace.config;

import java.time.Duration;

/// How this process runs its share of the job.
///
/// @param workers how many threads process records
/// @param exchanges how records get from one task to another
/// @param standbys how many other processes keep a copy of each task's state up to date
/// @param affinityWait how long tasks wait for their process if it is gone and restoring their
///   state elsewhere would take longer
/// @param hotSplits how many tasks may be split off from others because these are hot
/// @param rack the rack or zone in which this process runs; empty if that does not matter
public record PlacementConfig(
    int workers,
    Exchanges exchanges,
    int standbys,
    Duration affinityWait,
    int hotSplits,
    String rack) {

  private static final Duration AFFINITY_WAIT = Duration.ofSeconds(30);

  /// How records get from one task to another.
  public enum Exchanges {
    /// By topics; each worker commits for itself.
    TOPICS,
    /// Through the memory of the one process that has all tasks; all of its workers commit
    /// together.
    DIRECT
  }

  /// Returns the defaults: two workers, exchanges by topics, no standbys.
  public static PlacementConfig defaults() {
    return new PlacementConfig(2, Exchanges.TOPICS, 0, AFFINITY_WAIT, 0, "");
  }

  /// Returns a copy with another number of threads that process records; 2 by default.
  public PlacementConfig withWorkers(int newWorkers) {
    return new PlacementConfig(newWorkers, exchanges, standbys, affinityWait, hotSplits, rack);
  }

  /// Returns a copy with another way of records from one task to another; topics by default.
  public PlacementConfig withExchanges(Exchanges newExchanges) {
    return new PlacementConfig(workers, newExchanges, standbys, affinityWait, hotSplits, rack);
  }

  /// Returns a copy with another number of other processes that keep a copy of each task's state up
  /// to date, so that they could take it over at once; 0 by default. That of the process counts
  /// which decides at the time.
  public PlacementConfig withStandbys(int newStandbys) {
    return new PlacementConfig(workers, exchanges, newStandbys, affinityWait, hotSplits, rack);
  }

  /// Returns a copy with another time that tasks wait for their process if it is gone and restoring
  /// their state elsewhere would take longer; 30 seconds by default. That of the process counts
  /// which decides at the time.
  public PlacementConfig withAffinityWait(Duration newWait) {
    return new PlacementConfig(workers, exchanges, standbys, newWait, hotSplits, rack);
  }

  /// Returns a copy with another number of tasks that may be split off from others because these
  /// are hot; 0 by default, so none is. That of the process counts which decides at the time.
  public PlacementConfig withHotSplits(int newHotSplits) {
    return new PlacementConfig(workers, exchanges, standbys, affinityWait, newHotSplits, rack);
  }

  /// Returns a copy for a process in a rack or zone; empty by default. Standbys of a task are in
  /// another one than its owner, if there is one.
  public PlacementConfig withRack(String newRack) {
    return new PlacementConfig(workers, exchanges, standbys, affinityWait, hotSplits, newRack);
  }
}
