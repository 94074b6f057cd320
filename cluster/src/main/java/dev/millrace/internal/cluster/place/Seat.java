package dev.millrace.internal.cluster.place;

import java.util.List;

/// What is decided about one bundle.
///
/// A bundle is a set of tasks that always have the same owner; usually it is one task. Its number
/// is that of its first task. Members are named by the ids of their homes.
///
/// A planned hand-over has two stages. First the heir follows while the owner goes on. Once the
/// heir is warm, the owner is told to give the bundle up; when it has, the heir becomes the owner.
///
/// @param version of the decision that made the owner the owner; 0 if there is no owner. Nobody
///   owns a bundle twice under the same version
/// @param owner who owns the bundle; empty if nobody does
/// @param force whether the owner takes the bundle although the one before has not let go of it
/// @param heir who is to own it next; empty if no hand-over is planned
/// @param giving whether the owner is to give the bundle up for the heir now
/// @param followers who keeps a copy of its state, in order; the heir included, the owner not
/// @param homes where it was owned, the last one first; at most [#HOMES]
public record Seat(
    long version,
    String owner,
    boolean force,
    String heir,
    boolean giving,
    List<String> followers,
    List<Home> homes) {
  /// How many homes are remembered.
  public static final int HOMES = 3;

  /// The seat of a bundle that nobody has owned.
  public static final Seat EMPTY = new Seat(0, "", false, "", false, List.of(), List.of());

  public Seat {
    followers = followers.stream().sorted().toList();
    homes = List.copyOf(homes);
  }
}
