package dev.millrace.internal.cluster.live;

/// What a member says about one bundle.
///
/// @param version under which it owns the bundle, or has let go of it; 0 if it never owned it
/// @param lagMillis how far behind a follower is, or who waits for the bundle to be split off from
///   another one; -1 if that is not known
/// @param weight the load of the bundle, see [#weight(double)]; 0 if it is not known
/// @param bytes of state; 0 if that is not known
public record Report(
    int bundle, State state, long version, long lagMillis, double weight, long bytes) {

  /// How far a member is with a bundle.
  public enum State {
    /// It is becoming the owner: state is being restored.
    TAKING,
    /// It processes the bundle.
    OWNER,
    /// As `OWNER`, and all input of the bundle has ended, and what followed from it is committed.
    DONE,
    /// It is letting go of the bundle.
    LEAVING,
    /// It has let go of the bundle as it was told to, with all of its state committed.
    RELEASED,
    /// It follows the state of the bundle.
    FOLLOWING,
    /// It has state of the bundle on its disk, and does nothing with it.
    STORED;

    /// Returns whether the member may still write for the bundle.
    public boolean isHeld() {
      return this == TAKING || this == OWNER || this == DONE || this == LEAVING;
    }
  }

  /// How far behind a follower may be that could take over at once.
  public static final long WARM_MILLIS = 200;

  private static final double WEIGHT_OF_A_WORKER = 20;

  /// Returns the weight of a bundle: 1 if it idles, and one more for each twentieth of a worker's
  /// time that it takes. So idle bundles are shared out by number, and busy ones by how busy they
  /// are.
  ///
  /// @param busy the part of a worker's time that it takes
  public static double weight(double busy) {
    return 1 + WEIGHT_OF_A_WORKER * busy;
  }

  /// Returns the part of a worker's time that the bundle takes; negative if it is not known.
  public double busy() {
    return weight == 0 ? -1 : Math.max(0, weight - 1) / WEIGHT_OF_A_WORKER;
  }

  /// Returns whether the member follows and could take over at once.
  public boolean isWarm() {
    return state == State.FOLLOWING && lagMillis >= 0 && lagMillis <= WARM_MILLIS;
  }

  /// Returns whether the member could begin with the bundle at once, if it was split off from
  /// another one now.
  public boolean awaitsSplit() {
    return state == State.TAKING && lagMillis == 0;
  }

  /// Returns whether another report says the same of what is decided upon at once.
  boolean isLike(Report other) {
    return bundle == other.bundle
        && state == other.state
        && version == other.version
        && isWarm() == other.isWarm()
        && awaitsSplit() == other.awaitsSplit();
  }
}
