package dev.millrace.internal.cluster.place;

/// Plans who owns and who follows which bundle.
///
/// In this order:
///
/// 1. A bundle stays where it is, as long as its owner lives and does not leave.
/// 2. A hand-over that can go on goes on: a warm heir is given the bundle, and a bundle that was
///    let go of is its heir's.
/// 3. A bundle whose owner is gone waits for it, if that is quicker than restoring its state
///    elsewhere; otherwise it goes to a warm follower, then to where its state is, then to the
///    member with the least load. One whose owner leaves is handed over in the same order.
/// 4. A bundle that somebody wants elsewhere is handed over to there, a few at a time. It stays
///    there, and where its owner is gone or leaves, it goes there first of all.
/// 5. Who went away and is back gets what it had, until it has its share of the load.
/// 6. If the load has been uneven for a while, or because a member is new, a few bundles are handed
///    over at a time.
/// 7. Each bundle gets its followers, on other hosts and in other racks if there are any.
///
/// Equal facts give equal placements, and a seat that need not change is not changed. The facts may
/// be late or wrong: that only one member writes a bundle's state is the business of those who
/// write it.
public final class Placer {
  private Placer() {}

  /// Returns the next placement. Reads no clock and keeps nothing.
  public static Placement next(Facts facts, Policy policy) {
    Draft draft = new Draft(facts);
    Successors successors = new Successors(draft, policy);
    successors.orphans();
    successors.drains();
    Moves moves = new Moves(draft, policy);
    boolean unbalanced = moves.plan(facts.unbalancedNanos());
    moves.giveToTheWarm();
    new Followers(draft, policy.standbys()).choose();
    return new Placement(draft.seats(), unbalanced);
  }
}
