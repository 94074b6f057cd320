package dev.millrace.internal.cluster.place;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import dev.millrace.internal.cluster.place.Facts.Hold;
import dev.millrace.internal.cluster.place.Facts.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A placement while it is changed, with members and bundles as indexes into the facts.
///
/// The load of a member is what it will own once all hand-overs have ended; see also [Wish].
final class Draft {
  /// No member.
  static final int NONE = -1;

  final List<Candidate> members;
  final List<Bundle> bundles;

  /// By bundle: who owns it, or `NONE`.
  final int[] owner;

  /// By bundle: who is to own it next, or `NONE`.
  final int[] heir;

  /// By bundle: whether the owner is to give it up now.
  final boolean[] giving;

  /// By bundle: whether it stays as it is decided although its owner is gone.
  final boolean[] waiting;

  /// By bundle: who is to own it because somebody has asked for it, or `NONE`.
  final int[] wished;

  /// By bundle, the followers, in the order in which they are kept.
  final List<List<Integer>> followers;

  private final long version;
  private final Map<String, Integer> indexes;
  private final boolean[] force;

  /// By bundle that somebody wants elsewhere: whose load it counts for all the same, or `NONE`.
  private final int[] counts;

  private final double[] load;
  private final double[] fair;
  private int staying;

  Draft(Facts facts) {
    members = facts.members();
    bundles = facts.bundles();
    version = facts.version();
    indexes = HashMap.newHashMap(members.size());
    for (int i = 0; i < members.size(); i++) {
      indexes.put(members.get(i).home(), i);
    }
    owner = filled(bundles.size());
    heir = filled(bundles.size());
    wished = filled(bundles.size());
    counts = filled(bundles.size());
    giving = new boolean[bundles.size()];
    waiting = new boolean[bundles.size()];
    force = new boolean[bundles.size()];
    followers = new ArrayList<>(bundles.size());
    load = new double[members.size()];
    fair = fairLoads();
    for (int bundle = 0; bundle < bundles.size(); bundle++) {
      seat(bundle);
      wish(bundle);
      int target = target(bundle);
      if (target != NONE) {
        count(bundle, target, weight(bundle));
      }
    }
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }

  /// What each member would own if load followed capacity and those that leave owned nothing.
  private double[] fairLoads() {
    double capacity = 0;
    for (Candidate member : members) {
      if (!member.leaving()) {
        capacity += member.capacity();
      }
      if (member.standing() == Standing.STAYS) {
        staying++;
      }
    }
    double total = 0;
    for (Bundle bundle : bundles) {
      total += bundle.weight();
    }
    double[] fairLoads = new double[members.size()];
    for (int i = 0; i < fairLoads.length; i++) {
      Candidate member = members.get(i);
      fairLoads[i] = member.leaving() ? 0 : total * member.capacity() / capacity;
    }
    return fairLoads;
  }

  /// Takes over what is decided, without those who are gone, and ends hand-overs that are done.
  private void seat(int bundle) {
    Bundle known = bundles.get(bundle);
    Seat seat = known.seat();
    List<Integer> living = new ArrayList<>();
    for (String follower : seat.followers()) {
      int index = index(follower, bundle);
      if (index != NONE) {
        living.add(index);
      }
    }
    followers.add(living);
    int now = index(seat.owner(), bundle);
    int next = index(seat.heir(), bundle);
    if (next != NONE && members.get(next).leaving() && !seat.giving()) {
      next = NONE; // once the bundle is to be given up, the heir may have it already
    }
    boolean given = seat.giving() && next != NONE;
    if (now != NONE && !(given && known.hold() != Hold.HELD)) {
      owner[bundle] = now;
      heir[bundle] = next;
      giving[bundle] = given;
      // An heir that is gone may have taken it before.
      force[bundle] = seat.force() || (seat.giving() && !given);
    } else if (given) {
      own(bundle, next);
      if (now != NONE) {
        living.addFirst(now);
      }
    }
  }

  private void wish(int bundle) {
    Wish wish = bundles.get(bundle).wish();
    int home = index(wish.home(), bundle);
    if (home != NONE && !isLeaving(home)) {
      wished[bundle] = home;
      int from = index(wish.from(), bundle);
      counts[bundle] = from == NONE || isLeaving(from) ? NONE : from;
    }
  }

  private void count(int bundle, int member, double weight) {
    load[counts[bundle] == NONE ? member : counts[bundle]] += weight;
  }

  /// Returns the index of a member; `NONE` if it is not among those that live and have a bundle.
  int index(String home, int bundle) {
    int index = home.isEmpty() ? NONE : indexes.getOrDefault(home, NONE);
    return index != NONE && has(index, bundle) ? index : NONE;
  }

  /// Returns whether a member's program has a bundle.
  boolean has(int member, int bundle) {
    return members.get(member).bundles().contains(bundles.get(bundle).number());
  }

  double weight(int bundle) {
    return bundles.get(bundle).weight();
  }

  /// Returns who owns a bundle once its hand-over has ended; `NONE` if nobody does.
  int target(int bundle) {
    return heir[bundle] == NONE ? owner[bundle] : heir[bundle];
  }

  /// Returns what a member will own, in units of the weights; what somebody wants elsewhere counts
  /// where it came from.
  double load(int member) {
    return load[member];
  }

  /// Returns what a member should own, in units of the weights; 0 for one that leaves.
  double fair(int member) {
    return fair[member];
  }

  /// Returns how full a member is, so that members of different capacity can be compared.
  double fullness(int member) {
    return load[member] / members.get(member).capacity();
  }

  /// Returns whether a member may be given bundles.
  boolean mayGet(int member) {
    return members.get(member).standing() == Standing.STAYS;
  }

  /// Returns whether a member may be given a bundle.
  boolean mayGet(int member, int bundle) {
    return mayGet(member) && has(member, bundle);
  }

  boolean isLeaving(int member) {
    return members.get(member).leaving();
  }

  /// Returns whether a member leaves because its process was told to end.
  boolean isStopping(int member) {
    return members.get(member).standing() == Standing.STOPS;
  }

  /// Returns whether two members have their state on the same disk, so that one can open what the
  /// other has closed.
  boolean shareADisk(int one, int other) {
    return members.get(one).volume().equals(members.get(other).volume());
  }

  /// Returns whether the owner of a bundle is the one that is decided, and was not to give it up.
  boolean isSteady(int bundle) {
    Seat before = bundles.get(bundle).seat();
    return !before.giving() && members.get(owner[bundle]).home().equals(before.owner());
  }

  /// Returns whether nobody may be given anything.
  boolean nobodyMayGet() {
    return staying == 0;
  }

  /// Makes a member the owner of a bundle that nobody owns any more.
  void assign(int bundle, int member) {
    own(bundle, member);
    count(bundle, member, weight(bundle));
  }

  private void own(int bundle, int member) {
    Bundle known = bundles.get(bundle);
    owner[bundle] = member;
    heir[bundle] = NONE;
    giving[bundle] = false;
    // Also if nothing is known of who wrote for it before, or if an heir may have taken it.
    Seat seat = known.seat();
    force[bundle] =
        known.hold() != Hold.RELEASED
            || (seat.giving() && !members.get(member).home().equals(seat.heir()));
    followers.get(bundle).remove(Integer.valueOf(member));
  }

  /// Plans to hand a bundle over.
  void bequeath(int bundle, int member) {
    count(bundle, target(bundle), -weight(bundle));
    count(bundle, member, weight(bundle));
    heir[bundle] = member;
  }

  /// Plans no hand-over of a bundle any more.
  void retain(int bundle) {
    bequeath(bundle, owner[bundle]);
    heir[bundle] = NONE;
  }

  /// Returns what is to be decided, by the number of the bundle.
  SortedMap<Integer, Seat> seats() {
    SortedMap<Integer, Seat> seats = new TreeMap<>();
    for (int bundle = 0; bundle < bundles.size(); bundle++) {
      Bundle known = bundles.get(bundle);
      Seat next = waiting[bundle] ? known.seat() : next(bundle);
      seats.put(known.number(), next.equals(known.seat()) ? known.seat() : next);
    }
    return seats;
  }

  private Seat next(int bundle) {
    Seat before = bundles.get(bundle).seat();
    if (owner[bundle] == NONE) {
      return new Seat(0, "", false, "", 0, List.of(), before.homes());
    }
    Candidate member = members.get(owner[bundle]);
    boolean stays = member.home().equals(before.owner()) && (!before.giving() || giving[bundle]);
    return new Seat(
        stays ? before.version() : newVersion(bundle, before),
        member.home(),
        force[bundle],
        heir[bundle] == NONE ? "" : members.get(heir[bundle]).home(),
        giving[bundle] ? (before.giving() ? before.heirVersion() : version) : 0,
        followers.get(bundle).stream().map(each -> members.get(each).home()).toList(),
        stays ? before.homes() : homes(before, member));
  }

  /// Returns the version of a new owner: an heir that was only waited for has been told its own.
  private long newVersion(int bundle, Seat before) {
    boolean told = before.heirVersion() > before.version();
    return told && !force[bundle] ? before.heirVersion() : version;
  }

  private static List<Home> homes(Seat before, Candidate member) {
    List<Home> homes = new ArrayList<>();
    homes.add(new Home(member.home(), member.volume()));
    for (Home each : before.homes()) {
      if (homes.size() < Seat.HOMES && !each.home().equals(member.home())) {
        homes.add(each);
      }
    }
    return homes;
  }
}
