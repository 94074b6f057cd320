package dev.millrace.internal.cluster.place;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Chooses who keeps copies of the state, beside the owner: on other disks and hosts, and in other
/// racks, as far as there are any.
final class Followers {
  /// How many members are looked at, the least busy first, to find one in another rack. So a rack
  /// of few members does not follow everything alone, and the search has a bound.
  private static final int LOOKED_AT = 256;

  private final Draft draft;
  private final int standbys;
  private final double[] load;
  private final boolean severalHosts;

  /// By bundle, how many followers it has besides an heir that is one more.
  private final int[] kept;

  /// By bundle, followers that were not kept and could be.
  private final List<List<Integer>> dropped = new ArrayList<>();

  /// Members that may get bundles, in the order of what they follow.
  private final SortedSet<Integer> idle = new TreeSet<>(this::compare);

  Followers(Draft draft, int standbys) {
    this.draft = draft;
    this.standbys = standbys;
    load = new double[draft.members.size()];
    List<String> hosts = draft.members.stream().map(member -> member.host()).distinct().toList();
    severalHosts = hosts.size() > 1;
    kept = new int[draft.bundles.size()];
  }

  private int compare(int one, int other) {
    int byLoad =
        Double.compare(
            load[one] / draft.members.get(one).capacity(),
            load[other] / draft.members.get(other).capacity());
    return byLoad != 0 ? byLoad : Integer.compare(one, other);
  }

  void choose() {
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      dropped.add(new ArrayList<>());
      if (!draft.waiting[bundle] && draft.owner[bundle] != Draft.NONE) {
        keep(bundle);
        for (int follower : draft.followers.get(bundle)) {
          load[follower] += draft.weight(bundle);
        }
      }
    }
    for (int member = 0; member < draft.members.size(); member++) {
      if (draft.mayGet(member)) {
        idle.add(member);
      }
    }
    for (int bundle = 0; bundle < draft.bundles.size(); bundle++) {
      if (!draft.waiting[bundle] && draft.owner[bundle] != Draft.NONE) {
        add(bundle);
      }
    }
  }

  /// Keeps the followers that are as they should be, warm ones first, at most as many as there
  /// should be. The heir is one more, unless it is one of them.
  private void keep(int bundle) {
    List<Integer> all = draft.followers.get(bundle);
    List<Integer> good = new ArrayList<>();
    for (boolean warm : new boolean[] {true, false}) {
      for (int follower : all) {
        if (good.size() < standbys
            && isWarm(bundle, follower) == warm
            && !good.contains(follower)
            && may(bundle, follower)
            && (!severalHosts || isOnAnotherHost(bundle, follower, good))) {
          good.add(follower);
        }
      }
    }
    kept[bundle] = good.size();
    int heir = draft.heir[bundle];
    if (heir != Draft.NONE && !good.contains(heir)) {
      good.add(heir);
    }
    List<Integer> rest = new ArrayList<>(all);
    rest.removeAll(good);
    rest.removeIf(follower -> !may(bundle, follower));
    dropped.get(bundle).addAll(rest);
    // Those that stay keep their order, so that nothing changes which need not.
    all.retainAll(good);
    good.removeAll(all);
    all.addAll(good);
  }

  private boolean isWarm(int bundle, int follower) {
    return draft.bundles.get(bundle).warm().contains(draft.members.get(follower).home());
  }

  private boolean may(int bundle, int follower) {
    int owner = draft.owner[bundle];
    return follower != owner
        && draft.has(follower, bundle)
        && !draft.isLeaving(follower)
        && !draft.shareADisk(follower, owner);
  }

  /// Adds the followers that are missing, as far as there are members.
  private void add(int bundle) {
    List<Integer> all = draft.followers.get(bundle);
    while (kept[bundle] < standbys) {
      int found = find(bundle, all);
      if (found == Draft.NONE) {
        return;
      }
      idle.remove(found);
      load[found] += draft.weight(bundle);
      idle.add(found);
      all.add(found);
      kept[bundle]++;
    }
  }

  /// Returns the least busy member in another rack; if there is none, the least busy on another
  /// host; if there is none, one that follows already, or any.
  private int find(int bundle, List<Integer> others) {
    int onAnotherHost = Draft.NONE;
    int any = Draft.NONE;
    int looked = 0;
    for (int member : idle) {
      if (!may(bundle, member) || others.contains(member)) {
        continue;
      }
      if (isOnAnotherHost(bundle, member, others)) {
        if (isInAnotherRack(bundle, member, others)) {
          return member;
        }
        onAnotherHost = onAnotherHost == Draft.NONE ? member : onAnotherHost;
      }
      any = any == Draft.NONE ? member : any;
      if (++looked == LOOKED_AT) {
        break;
      }
    }
    if (onAnotherHost != Draft.NONE) {
      return onAnotherHost;
    }
    for (int member : dropped.get(bundle)) {
      if (!others.contains(member)) {
        return member;
      }
    }
    return any;
  }

  private boolean isOnAnotherHost(int bundle, int member, List<Integer> others) {
    String host = draft.members.get(member).host();
    return !host.equals(draft.members.get(draft.owner[bundle]).host())
        && others.stream()
            .noneMatch(other -> other != member && draft.members.get(other).host().equals(host));
  }

  private boolean isInAnotherRack(int bundle, int member, List<Integer> others) {
    String rack = draft.members.get(member).rack();
    return !rack.equals(draft.members.get(draft.owner[bundle]).rack())
        && others.stream()
            .noneMatch(other -> other != member && draft.members.get(other).rack().equals(rack));
  }
}
