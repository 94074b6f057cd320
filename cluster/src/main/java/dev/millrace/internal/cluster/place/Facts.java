package dev.millrace.internal.cluster.place;

import java.util.List;

/// What is known when a placement is planned.
///
/// @param version the version that the decision will have
/// @param members those that live, in the order of their homes
/// @param bundles all bundles of the application, in the order of their numbers
/// @param unbalancedNanos for how long the load has been uneven; see [Placement#unbalanced]
public record Facts(
    long version, List<Candidate> members, List<Bundle> bundles, long unbalancedNanos) {

  /// A member that lives.
  ///
  /// @param volume names the disk with its state
  /// @param rack empty if it is unknown
  /// @param capacity how much it can process compared with the others; above 0
  /// @param bundles those that its program has, so that it may own and follow them
  /// @param newcomer whether it has not had its share of the load yet, so that it gets that at once
  public record Candidate(
      String home,
      String volume,
      String host,
      String rack,
      double capacity,
      Standing standing,
      Bundles bundles,
      boolean newcomer) {
    boolean leaving() {
      return standing == Standing.LEAVES || standing == Standing.STOPS;
    }
  }

  /// What a member may get.
  public enum Standing {
    /// It may get bundles.
    STAYS,
    /// It keeps what it has and gets nothing new, as when it was not heard a moment ago.
    KEEPS,
    /// It has asked to be relieved of everything.
    LEAVES,
    /// As `LEAVES`, but soon it will let go of what it has left, and may return.
    STOPS
  }

  /// Whether the owner still processes a bundle.
  public enum Hold {
    /// It does, or nothing else is known.
    HELD,
    /// It has let go of the bundle, with all of its state committed.
    RELEASED,
    /// It lives and does not process the bundle, as after a restart.
    LOST
  }

  /// A bundle and what was heard of it.
  ///
  /// @param weight its share of the load; 1 if unknown
  /// @param bytes of state; 0 if unknown
  /// @param seat what is decided about it
  /// @param hold whether the owner still processes it
  /// @param warm the followers that could take it over at once
  /// @param stored other members that have state of it on their disks, the most recent first
  /// @param orphanNanos how long its owner has been gone; 0 if it lives
  /// @param awaited whether the owner, which is gone, may return
  /// @param returned the member that had it when it went away, if that is back and has not had its
  ///   share of the load yet; empty otherwise
  /// @param wish where somebody wants it
  public record Bundle(
      int number,
      double weight,
      long bytes,
      Seat seat,
      Hold hold,
      List<String> warm,
      List<String> stored,
      long orphanNanos,
      boolean awaited,
      String returned,
      Wish wish) {}
}
