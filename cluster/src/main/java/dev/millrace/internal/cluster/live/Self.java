package dev.millrace.internal.cluster.live;

import dev.millrace.internal.cluster.place.Bundles;

/// What a process says of itself.
///
/// @param home the id of its state directory, which outlives the process; it names the member
/// @param life differs for each process of a home
/// @param volume names the disk with its state; members with the same one can open each other's
///   state, one after the other
/// @param rack empty if it is unknown
/// @param capacity how much it can process compared with the others; above 0
/// @param leastFormat the first level of formats that it reads
/// @param mostFormat the last level of formats that it reads
/// @param kind what its bundles are; members with another one have other bundles
/// @param bundles those that its program has
/// @param running how people find it
public record Self(
    String home,
    long life,
    String volume,
    String host,
    String rack,
    double capacity,
    int leastFormat,
    int mostFormat,
    String kind,
    Bundles bundles,
    Running running) {

  /// Returns the same with other bundles.
  public Self with(Bundles newBundles) {
    return new Self(
        home,
        life,
        volume,
        host,
        rack,
        capacity,
        leastFormat,
        mostFormat,
        kind,
        newBundles,
        running);
  }

  /// A process that runs, as people find it.
  ///
  /// @param sinceMillis when it started, in milliseconds since 1970 (UTC)
  /// @param http where it serves its metrics, such as `10.0.0.7:8080`; empty if it does not
  /// @param program the hash of the plan that it runs
  public record Running(long pid, long sinceMillis, String http, String program) {
    /// One of which nothing is known.
    public static final Running UNKNOWN = new Running(0, 0, "", "");
  }
}
