package dev.millrace.internal.cluster.place;

import java.time.Duration;

/// How bundles are placed.
///
/// @param standbys how many followers each bundle has
/// @param affinityWait how long a bundle waits for its home to return, if its state could not be
///   restored elsewhere in less
/// @param restoreBytesPerSecond how fast state is restored elsewhere, for that estimate
/// @param imbalance how many times its fair load a member may have before bundles are moved
/// @param balanceAfter for how long the load must be uneven before bundles are moved
/// @param maxMoves how many bundles are moved at once to even out the load, and to each new member
/// @param hotSplits how many bundles may be split off from others because these are hot
/// @param overload how many times its fair load a member may get because it has the state already
public record Policy(
    int standbys,
    Duration affinityWait,
    long restoreBytesPerSecond,
    double imbalance,
    Duration balanceAfter,
    int maxMoves,
    int hotSplits,
    double overload) {
  private static final long RESTORE_BYTES_PER_SECOND = 50_000_000;

  /// Returns the policy of an application that says nothing about it.
  public static Policy defaults() {
    return new Policy(
        0,
        Duration.ofSeconds(30),
        RESTORE_BYTES_PER_SECOND,
        1.1,
        Duration.ofSeconds(60),
        4,
        0,
        2.0);
  }

  public Policy withStandbys(int newStandbys) {
    return new Policy(
        newStandbys,
        affinityWait,
        restoreBytesPerSecond,
        imbalance,
        balanceAfter,
        maxMoves,
        hotSplits,
        overload);
  }

  public Policy withAffinityWait(Duration newAffinityWait) {
    return new Policy(
        standbys,
        newAffinityWait,
        restoreBytesPerSecond,
        imbalance,
        balanceAfter,
        maxMoves,
        hotSplits,
        overload);
  }

  public Policy withBalanceAfter(Duration newBalanceAfter) {
    return new Policy(
        standbys,
        affinityWait,
        restoreBytesPerSecond,
        imbalance,
        newBalanceAfter,
        maxMoves,
        hotSplits,
        overload);
  }

  public Policy withHotSplits(int newHotSplits) {
    return new Policy(
        standbys,
        affinityWait,
        restoreBytesPerSecond,
        imbalance,
        balanceAfter,
        maxMoves,
        newHotSplits,
        overload);
  }

  /// Returns whether restoring state elsewhere would take longer than waiting for its home.
  boolean isWorthWaiting(long bytes) {
    return bytes / (double) restoreBytesPerSecond > affinityWait.toMillis() / 1000.0;
  }
}
