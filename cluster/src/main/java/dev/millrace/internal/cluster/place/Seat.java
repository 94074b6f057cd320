package dev.millrace.internal.cluster.place;

import java.util.List;

/// What is decided about one bundle.
///
/// A bundle is a set of tasks that always have the same owner; usually it is one task. Its number
/// is that of its first task. Members are named by the ids of their homes.
///
/// A planned hand-over has two stages. First the heir follows while the owner goes on. Once the
/// heir is warm, the owner is told to give the bundle up, and the heir to take it as soon as the
/// owner has, without waiting for another decision. When it has, the heir becomes the owner.
///
/// @param version of the decision that made the owner the owner; 0 if there is no owner. Nobody
///   owns a bundle twice under the same version
/// @param owner who owns the bundle; empty if nobody does
/// @param force whether the owner takes the bundle although the one before has not let go of it
/// @param heir who is to own it next; empty if no hand-over is planned
/// @param heirVersion the version under which the heir takes it and then owns it, once the owner is
///   to give the bundle up; 0 until then
/// @param followers who keeps a copy of its state, in order; the heir included, the owner not
/// @param homes where it was owned, the last one first; at most [#HOMES]
public record Seat(
    long version,
    String owner,
    boolean force,
    String heir,
    long heirVersion,
    List<String> followers,
    List<Home> homes) {
  /// How many homes are remembered.
  public static final int HOMES = 3;

  /// The seat of a bundle that nobody has owned.
  public static final Seat EMPTY = new Seat(0, "", false, "", 0, List.of(), List.of());

  public Seat {
    followers = followers.stream().sorted().toList();
    homes = List.copyOf(homes);
  }

  /// Returns whether the owner is to give the bundle up for the heir now.
  public boolean giving() {
    return heirVersion != 0;
  }
}
