package dev.millrace.internal.cluster.place;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/// Chooses who takes over bundles whose owner is gone or leaves.
final class Successors {
  /// A member, as full as it was when it was put into the queue.
  private record Room(double fullness, int member) {}

  private final Draft draft;
  private final Policy policy;

  /// Those that may get bundles, the emptiest first. An entry that is out of date is put in anew.
  private final PriorityQueue<Room> rooms =
      new PriorityQueue<>(
          Comparator.comparingDouble(Room::fullness).thenComparingInt(Room::member));

  /// By the disk with their state, those that may get bundles.
  private final Map<String, List<Integer>> byVolume = new TreeMap<>();

  Successors(Draft draft, Policy policy) {
    this.draft = draft;
    this.policy = policy;
    for (int member = 0; member < draft.members.size(); member++) {
      if (draft.mayGet(member)) {
        rooms.add(new Room(draft.fullness(member), member));
        byVolume
            .computeIfAbsent(draft.members.get(member).volume(), volume -> new ArrayList<>())
            .add(member);
      }
    }
  }

  /// Finds new owners for the bundles that have none, those with the most load first.
  void orphans() {
    List<Integer> orphans = heaviestFirst(bundle -> draft.owner[bundle] == Draft.NONE);
    List<Integer> homeless = new ArrayList<>();
    for (int bundle : orphans) {
      int warm = warm(bundle);
      if (warm != Draft.NONE) {
        draft.assign(bundle, warm);
      } else if (mustWait(bundle)) {
        draft.waiting[bundle] = true;
      } else if (wished(bundle) != Draft.NONE) {
        draft.assign(bundle, wished(bundle));
      } else {
        homeless.add(bundle);
      }
    }
    List<Integer> without = new ArrayList<>();
    for (int bundle : homeless) {
      int known = whereItsStateIs(bundle);
      if (known == Draft.NONE) {
        without.add(bundle);
      } else {
        draft.assign(bundle, known);
      }
    }
    for (int bundle : without) {
      int emptiest = emptiest(bundle);
      if (emptiest == Draft.NONE) {
        draft.waiting[bundle] = true;
      } else {
        draft.assign(bundle, emptiest);
      }
    }
  }

  private boolean mustWait(int bundle) {
    Bundle known = draft.bundles.get(bundle);
    return draft.nobodyMayGet()
        || (!known.seat().owner().isEmpty()
            && known.awaited()
            && known.orphanNanos() < policy.affinityWait().toNanos()
            && policy.isWorthWaiting(known.bytes()));
  }

  /// Finds heirs for the bundles whose owners leave, those with the most load first.
  void drains() {
    if (draft.nobodyMayGet()) {
      return;
    }
    for (int bundle : heaviestFirst(this::needsAnHeir)) {
      int found = isToBeAwaited(bundle) ? readyAtOnce(bundle) : heir(bundle);
      if (found != Draft.NONE) {
        draft.bequeath(bundle, found);
      }
    }
  }

  private int heir(int bundle) {
    int found = wished(bundle);
    found = found == Draft.NONE ? warm(bundle) : found;
    found = found == Draft.NONE ? whereItsStateIs(bundle) : found;
    return found == Draft.NONE ? emptiest(bundle) : found;
  }

  /// Returns whether the owner of a bundle may be back before its state would be elsewhere, and
  /// nobody wants it elsewhere.
  private boolean isToBeAwaited(int bundle) {
    return draft.isStopping(draft.owner[bundle])
        && wished(bundle) == Draft.NONE
        && policy.isWorthWaiting(draft.bundles.get(bundle).bytes());
  }

  /// Returns the emptiest warm follower or, if there is none, the emptiest member that will find
  /// the state on its disk. How full it is does not matter, as nobody else could go on.
  private int readyAtOnce(int bundle) {
    int best = Draft.NONE;
    for (String home : draft.bundles.get(bundle).warm()) {
      best = emptierOf(best, draft.index(home, bundle), bundle);
    }
    if (best == Draft.NONE) {
      String volume = draft.members.get(draft.owner[bundle]).volume();
      for (int neighbour : byVolume.getOrDefault(volume, List.of())) {
        best = emptierOf(best, neighbour, bundle);
      }
    }
    return best;
  }

  private boolean needsAnHeir(int bundle) {
    int owner = draft.owner[bundle];
    return owner != Draft.NONE && draft.isLeaving(owner) && draft.heir[bundle] == Draft.NONE;
  }

  private List<Integer> heaviestFirst(IntPredicate which) {
    List<Integer> found = new ArrayList<>();
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (which.test(bundle)) {
        found.add(bundle);
      }
    }
    found.sort(
        Comparator.comparingDouble((Integer bundle) -> -draft.weight(bundle))
            .thenComparing(Comparator.naturalOrder()));
    return found;
  }

  /// Returns the member that somebody wants to have a bundle, if it may have it now.
  private int wished(int bundle) {
    int wished = draft.wished[bundle];
    return wished != Draft.NONE && draft.mayGet(wished) ? wished : Draft.NONE;
  }

  /// Returns the warm follower that somebody wants to have a bundle, or the emptiest that has room.
  private int warm(int bundle) {
    int wished = wished(bundle);
    if (wished != Draft.NONE
        && draft.bundles.get(bundle).warm().contains(draft.members.get(wished).home())) {
      return wished;
    }
    int best = Draft.NONE;
    for (String home : draft.bundles.get(bundle).warm()) {
      best = emptier(best, draft.index(home, bundle), bundle);
    }
    return best;
  }

  /// Returns the first with room of: a follower, a former owner, a member with some of the state, a
  /// neighbour of a former owner.
  private int whereItsStateIs(int bundle) {
    int best = Draft.NONE;
    for (int follower : draft.followers.get(bundle)) {
      best = emptier(best, follower, bundle);
    }
    Bundle known = draft.bundles.get(bundle);
    for (int i = 0; best == Draft.NONE && i < known.seat().homes().size(); i++) {
      best = emptier(best, draft.index(known.seat().homes().get(i).home(), bundle), bundle);
    }
    for (int i = 0; best == Draft.NONE && i < known.stored().size(); i++) {
      best = emptier(best, draft.index(known.stored().get(i), bundle), bundle);
    }
    for (int i = 0; best == Draft.NONE && i < known.seat().homes().size(); i++) {
      for (int neighbour : byVolume.getOrDefault(known.seat().homes().get(i).volume(), List.of())) {
        best = emptier(best, neighbour, bundle);
      }
    }
    return best;
  }

  /// Returns whichever of two members has room for a bundle; the emptier one if both have.
  private int emptier(int best, int other, int bundle) {
    return other == Draft.NONE || !hasRoom(other, bundle) ? best : emptierOf(best, other, bundle);
  }

  /// Returns whichever of two members may get a bundle; the emptier one if both may.
  private int emptierOf(int best, int other, int bundle) {
    if (other == Draft.NONE || !draft.mayGet(other, bundle)) {
      return best;
    }
    return best == Draft.NONE || draft.fullness(other) < draft.fullness(best) ? other : best;
  }

  private boolean hasRoom(int member, int bundle) {
    return draft.load(member) == 0
        || draft.load(member) + draft.weight(bundle) <= policy.overload() * draft.fair(member);
  }

  /// Returns the emptiest member that has a bundle; `NONE` if none has.
  private int emptiest(int bundle) {
    List<Room> others = new ArrayList<>();
    int found = Draft.NONE;
    while (found == Draft.NONE && !rooms.isEmpty()) {
      Room first = rooms.remove();
      double now = draft.fullness(first.member());
      if (first.fullness() != now) {
        rooms.add(new Room(now, first.member()));
      } else {
        others.add(first); // out of date as soon as the member gets the bundle
        found = draft.has(first.member(), bundle) ? first.member() : Draft.NONE;
      }
    }
    rooms.addAll(others);
    return found;
  }
}
