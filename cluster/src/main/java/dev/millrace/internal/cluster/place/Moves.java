package dev.millrace.internal.cluster.place;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hands bundles over to those for whom they were asked, and from members that have more than their
/// share, a few at a time, and lets every hand-over go on whose heir is warm.
final class Moves {
  private final Draft draft;
  private final Policy policy;

  /// By member, the bundles that it owns, that are not being handed over, and of which nobody has
  /// asked for anything.
  private final List<List<Integer>> settled = new ArrayList<>();

  Moves(Draft draft, Policy policy) {
    this.draft = draft;
    this.policy = policy;
    for (int member = 0; member < draft.members.size(); member++) {
      settled.add(new ArrayList<>());
    }
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (draft.owner[bundle] != Draft.NONE
          && draft.heir[bundle] == Draft.NONE
          && draft.wished[bundle] == Draft.NONE) {
        settled.get(draft.owner[bundle]).add(bundle);
      }
    }
  }

  /// A bundle that should go to another member.
  private record Move(int bundle, int from, int to) {}

  /// Plans moves that were asked for, and others if the load has been uneven for long enough, or
  /// because a member is new.
  ///
  /// @return whether there is a move that would make an uneven load more even
  boolean plan(long unbalancedNanos) {
    if (draft.nobodyMayGet()) {
      return false;
    }
    retainWhatIsWhereItIsWanted();
    int[] underWay = underWay();
    grant(underWay);
    boolean waits = giveBack(underWay);
    Move move = next();
    boolean unbalanced = waits || move != null;
    boolean due = unbalancedNanos >= policy.balanceAfter().toNanos();
    while (move != null && mayBegin(move.to(), due, underWay)) {
      draft.bequeath(move.bundle(), move.to());
      underWay[move.to()]++;
      settled.get(move.from()).remove(Integer.valueOf(move.bundle()));
      move = next();
    }
    return unbalanced;
  }

  private void retainWhatIsWhereItIsWanted() {
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (draft.wished[bundle] != Draft.NONE
          && draft.owner[bundle] == draft.wished[bundle]
          && draft.heir[bundle] != Draft.NONE
          && !draft.giving[bundle]) {
        draft.retain(bundle);
      }
    }
  }

  /// Hands bundles over to those for whom they were asked, as many at once as may be moved. A
  /// hand-over to another member that has not begun to take turns round.
  private void grant(int[] underWay) {
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      int to = draft.wished[bundle];
      if (to == Draft.NONE
          || draft.owner[bundle] == Draft.NONE
          || draft.giving[bundle]
          || draft.target(bundle) == to
          || !draft.mayGet(to)) {
        continue;
      }
      int heir = draft.heir[bundle];
      if (draft.isLeaving(draft.owner[bundle])) {
        draft.bequeath(bundle, to); // it has to go in any case
        continue;
      }
      if (heir != Draft.NONE) {
        underWay[heir]--;
      }
      if (mayBegin(to, true, underWay)) {
        draft.bequeath(bundle, to);
        underWay[to]++;
      } else if (heir != Draft.NONE) {
        underWay[heir]++;
      }
    }
  }

  /// Hands over to those who have returned what they had, until they have their share. Others would
  /// do for the load, but of these they have the state.
  ///
  /// @return whether more is to be handed over than may be moved at once
  private boolean giveBack(int[] underWay) {
    boolean waits = false;
    for (int from = 0; from < settled.size(); from++) {
      for (int bundle : List.copyOf(settled.get(from))) {
        int to = draft.index(draft.bundles.get(bundle).returned(), bundle);
        if (to == Draft.NONE || to == from || !helps(bundle, from, to)) {
          continue;
        }
        if (mayBegin(to, false, underWay)) {
          draft.bequeath(bundle, to);
          underWay[to]++;
          settled.get(from).remove(Integer.valueOf(bundle));
        } else {
          waits = true;
        }
      }
    }
    return waits;
  }

  /// Returns whether one who has returned has less than its share, and the fuller of the two would
  /// be less full after a move.
  private boolean helps(int bundle, int from, int to) {
    return draft.mayGet(to)
        && draft.members.get(to).newcomer()
        && !draft.isLeaving(from)
        && draft.load(to) < policy.imbalance() * draft.fair(to)
        && fuller(bundle, from, to) < draft.fullness(from);
  }

  private boolean isWarm(int bundle, int member) {
    return draft.bundles.get(bundle).warm().contains(draft.members.get(member).home());
  }

  private boolean mayBegin(int to, boolean due, int[] underWay) {
    return draft.members.get(to).newcomer()
        ? underWay[to] < policy.maxMoves()
        : due && Arrays.stream(underWay).sum() < policy.maxMoves();
  }

  /// Returns how many bundles are being handed over to each member.
  private int[] underWay() {
    int[] count = new int[draft.members.size()];
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (draft.heir[bundle] != Draft.NONE && !draft.isLeaving(draft.owner[bundle])) {
        count[draft.heir[bundle]]++;
      }
    }
    return count;
  }

  /// Returns the best move from the fullest member that has one, or null if the load is even or no
  /// move would help.
  private @Nullable Move next() {
    List<Integer> sources = new ArrayList<>();
    int to = Draft.NONE;
    for (int member = 0; member < draft.members.size(); member++) {
      if (!draft.mayGet(member)) {
        continue;
      }
      if (draft.load(member) > policy.imbalance() * draft.fair(member)) {
        sources.add(member);
      }
      if (to == Draft.NONE || draft.fullness(member) < draft.fullness(to)) {
        to = member;
      }
    }
    sources.sort(
        Comparator.comparingDouble((Integer member) -> -draft.fullness(member))
            .thenComparing(Comparator.naturalOrder()));
    for (int from : sources) {
      int bundle = best(from, to);
      if (bundle != Draft.NONE) {
        return new Move(bundle, from, to);
      }
    }
    return null;
  }

  /// Returns the bundle whose move leaves the fuller of the two about as empty as any does; of
  /// several one that was there before, so that who returns gets again what it had, one that is
  /// followed there, or one that its disk has state of; `NONE` if each move would only turn the
  /// difference round.
  private int best(int from, int to) {
    double least = draft.fullness(from);
    for (int bundle : settled.get(from)) {
      least = Math.min(least, draft.has(to, bundle) ? fuller(bundle, from, to) : least);
    }
    int best = Draft.NONE;
    for (int bundle : settled.get(from)) {
      double fuller = draft.has(to, bundle) ? fuller(bundle, from, to) : Double.MAX_VALUE;
      if (fuller < draft.fullness(from)
          && fuller <= policy.imbalance() * least
          && (best == Draft.NONE || isBetter(bundle, best, from, to))) {
        best = bundle;
      }
    }
    return best;
  }

  private boolean isBetter(int bundle, int than, int from, int to) {
    int known = Integer.compare(strangeness(bundle, to), strangeness(than, to));
    return known < 0 || (known == 0 && fuller(bundle, from, to) < fuller(than, from, to));
  }

  /// Returns how full the fuller of the two is after a move.
  private double fuller(int bundle, int from, int to) {
    double weight = draft.weight(bundle);
    return Math.max(
        (draft.load(from) - weight) / draft.members.get(from).capacity(),
        (draft.load(to) + weight) / draft.members.get(to).capacity());
  }

  /// Returns how little a member knows of a bundle: the less, the later it has owned it, less than
  /// others if it follows it or if its disk has state of it, in this order.
  private int strangeness(int bundle, int member) {
    Bundle known = draft.bundles.get(bundle);
    List<Home> homes = known.seat().homes();
    Candidate receiver = draft.members.get(member);
    for (int i = 0; i < homes.size(); i++) {
      if (homes.get(i).home().equals(receiver.home())) {
        return i;
      }
    }
    if (draft.followers.get(bundle).contains(member)) {
      return Seat.HOMES;
    }
    boolean stored =
        known.stored().contains(receiver.home())
            || homes.stream().anyMatch(each -> each.volume().equals(receiver.volume()));
    return stored ? Seat.HOMES + 1 : Seat.HOMES + 2;
  }

  /// Has the owners give up the bundles whose heirs could take them over at once: they follow, or
  /// will find the state on their disk. An owner that is new, or was to give a bundle up for
  /// somebody else, is told the next time: what it is told now bars whoever had it before.
  void giveToTheWarm() {
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      int heir = draft.heir[bundle];
      if (heir != Draft.NONE
          && !draft.giving[bundle]
          && draft.isSteady(bundle)
          && draft.mayGet(heir)
          && (isWarm(bundle, heir) || draft.shareADisk(heir, draft.owner[bundle]))) {
        draft.giving[bundle] = true;
      }
    }
  }
}
