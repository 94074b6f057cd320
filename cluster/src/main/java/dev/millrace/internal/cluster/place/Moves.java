package dev.millrace.internal.cluster.place;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hands bundles over from members that have more than their share, a few at a time, and lets every
/// hand-over go on whose heir is warm.
final class Moves {
  private final Draft draft;
  private final Policy policy;

  /// By member, the bundles that it owns and that are not being handed over.
  private final List<List<Integer>> settled = new ArrayList<>();

  Moves(Draft draft, Policy policy) {
    this.draft = draft;
    this.policy = policy;
    for (int member = 0; member < draft.members.size(); member++) {
      settled.add(new ArrayList<>());
    }
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (draft.owner[bundle] != Draft.NONE && draft.heir[bundle] == Draft.NONE) {
        settled.get(draft.owner[bundle]).add(bundle);
      }
    }
  }

  /// A bundle that should go to another member.
  private record Move(int bundle, int from, int to) {}

  /// Plans moves, if the load has been uneven for long enough, or because a member is new.
  ///
  /// @return whether there is a move that would make an uneven load more even
  boolean plan(long unbalancedNanos) {
    if (draft.nobodyMayGet()) {
      return false;
    }
    Move move = next();
    boolean unbalanced = move != null;
    boolean due = unbalancedNanos >= policy.balanceAfter().toNanos();
    int[] underWay = underWay();
    while (move != null && mayBegin(move.to(), due, underWay)) {
      draft.bequeath(move.bundle(), move.to());
      underWay[move.to()]++;
      settled.get(move.from()).remove(Integer.valueOf(move.bundle()));
      move = next();
    }
    return unbalanced;
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

  /// Returns the bundle whose move leaves the fuller of the two as empty as possible; of several,
  /// one that the receiver follows, or else has state of. `NONE` if each move would only turn the
  /// difference round.
  private int best(int from, int to) {
    int best = Draft.NONE;
    double least = draft.fullness(from);
    int stateOfBest = 0;
    for (int bundle : settled.get(from)) {
      if (!draft.has(to, bundle)) {
        continue;
      }
      double weight = draft.weight(bundle);
      double fuller =
          Math.max(
              (draft.load(from) - weight) / draft.members.get(from).capacity(),
              (draft.load(to) + weight) / draft.members.get(to).capacity());
      int state = fuller <= least ? state(to, bundle) : 0;
      if (fuller < least || (best != Draft.NONE && fuller == least && state > stateOfBest)) {
        best = bundle;
        least = fuller;
        stateOfBest = state;
      }
    }
    return best;
  }

  /// Returns how much of a bundle's state a member has: more if it follows the bundle, some if its
  /// disk has some.
  private int state(int member, int bundle) {
    if (draft.followers.get(bundle).contains(member)) {
      return 2;
    }
    Candidate receiver = draft.members.get(member);
    Bundle known = draft.bundles.get(bundle);
    boolean stored =
        known.stored().contains(receiver.home())
            || known.seat().homes().stream()
                .anyMatch(each -> each.volume().equals(receiver.volume()));
    return stored ? 1 : 0;
  }

  /// Has the owners give up the bundles whose heirs could take them over at once: they follow, or
  /// will find the state on their disk.
  void giveToTheWarm() {
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      int heir = draft.heir[bundle];
      if (heir != Draft.NONE
          && !draft.giving[bundle]
          && draft.mayGet(heir)
          && (isWarm(bundle, heir) || draft.shareADisk(heir, draft.owner[bundle]))) {
        draft.giving[bundle] = true;
      }
    }
  }
}
