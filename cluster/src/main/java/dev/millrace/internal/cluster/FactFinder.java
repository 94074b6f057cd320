package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.MoveRequest;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.Sign.Phase;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Facts;
import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import dev.millrace.internal.cluster.place.Facts.Hold;
import dev.millrace.internal.cluster.place.Facts.Standing;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.place.Wish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Makes the facts for the placer of what was decided and what was heard. Used by one thread.
final class FactFinder {
  private final Decisions decisions;
  private final Signs signs;

  /// By bundle whose owner is gone, when that was noticed.
  private final Map<Integer, Long> orphanSince = new TreeMap<>();

  /// By bundle, the home that had it when that went away, until it is back and has its share.
  private final Map<Integer, String> leftBy = new TreeMap<>();

  /// By home, the lives of members that have had their share of the load since they came.
  private final Map<String, Long> established = new TreeMap<>();

  private boolean anew;

  FactFinder(Decisions decisions, Signs signs) {
    this.decisions = decisions;
    this.signs = signs;
  }

  /// Begins with what is decided and heard now.
  void beginAnew() {
    orphanSince.clear();
    leftBy.clear();
    established.clear();
    anew = true;
  }

  /// Takes in that the load is even among those who live.
  void isBalanced() {
    for (Signs.Heard member : signs.members()) {
      Self self = member.sign().self();
      if (signs.isHeardLately(member) && !isDrained(self)) {
        established.put(self.home(), self.life());
      }
    }
  }

  /// Returns the facts about the members that have bundles of a kind, and about all bundles that
  /// any of them has.
  Facts find(long version, String kind, long unbalancedNanos, long nowNanos) {
    SortedSet<Integer> numbers = new TreeSet<>();
    Set<Bundles> sets = new HashSet<>();
    List<Signs.Heard> members = new ArrayList<>();
    Map<String, Sign> living = new HashMap<>();
    Map<Integer, List<String>> stored = new HashMap<>();
    for (Signs.Heard member : signs.members()) {
      Sign sign = member.sign();
      if (signs.isLiving(member) && sign.self().kind().equals(kind)) {
        String home = sign.self().home();
        members.add(member);
        if (sets.add(sign.self().bundles())) {
          sign.self().bundles().addTo(numbers); // of which most members tell the same
        }
        living.put(home, sign);
        for (Report report : sign.reports()) {
          stored.computeIfAbsent(report.bundle(), bundle -> new ArrayList<>()).add(home);
        }
      }
    }
    if (anew) {
      anew = false;
      establish(living, numbers.size());
    }
    established.entrySet().removeIf(each -> isNew(living.get(each.getKey()), each.getValue()));
    List<Candidate> candidates = members.stream().map(this::candidate).toList();
    double usual = usualWeight(living);
    List<Bundle> bundles = new ArrayList<>(numbers.size());
    orphanSince.keySet().retainAll(numbers);
    leftBy.keySet().retainAll(numbers);
    leftBy.values().removeIf(home -> established.containsKey(home) && !isGoing(living.get(home)));
    for (int number : numbers) {
      Seat seat = decisions.seats().getOrDefault(number, Seat.EMPTY);
      bundles.add(
          bundle(number, seat, living, stored.getOrDefault(number, List.of()), usual, nowNanos));
    }
    return new Facts(version, candidates, bundles, unbalancedNanos);
  }

  /// Takes in who has its share by number when this member begins to decide: how busy bundles are
  /// is not known yet. Who has less may have come a moment ago.
  private void establish(Map<String, Sign> living, int bundles) {
    Map<String, Integer> owned = new HashMap<>();
    decisions.seats().values().forEach(seat -> owned.merge(seat.owner(), 1, Integer::sum));
    double all = living.values().stream().mapToDouble(sign -> sign.self().capacity()).sum();
    living.forEach((home, sign) -> {
      int share = (int) (bundles * sign.self().capacity() / all);
      if (owned.getOrDefault(home, 0) >= Math.max(share, 1)) {
        established.put(home, sign.self().life());
      }
    });
  }

  /// Whether a member gets its share at once: it has begun a new life, or was drained until now.
  private boolean isNew(@Nullable Sign sign, long life) {
    return sign == null || sign.self().life() != life || isDrained(sign.self());
  }

  /// Returns whether all input of all bundles has ended, and everything is committed by those who
  /// own them.
  boolean isAllDone(Facts facts) {
    for (Bundle bundle : facts.bundles()) {
      Seat seat = bundle.seat();
      Sign last = signs.isLiving(seat.owner()) ? signs.last(seat.owner()) : null;
      Report report = last == null ? null : last.report(bundle.number());
      if (report == null || report.state() != State.DONE || report.version() != seat.version()) {
        return false;
      }
    }
    return true;
  }

  private Candidate candidate(Signs.Heard member) {
    Sign sign = member.sign();
    return new Candidate(
        sign.self().home(),
        sign.self().volume(),
        sign.self().host(),
        sign.self().rack(),
        sign.self().capacity(),
        standing(member),
        sign.self().bundles(),
        !established.containsKey(sign.self().home()));
  }

  private Standing standing(Signs.Heard member) {
    Sign sign = member.sign();
    if (sign.phase() == Phase.LEAVING || isDrained(sign.self()) || isOutdated(sign.self())) {
      return Standing.LEAVES;
    }
    if (sign.phase() == Phase.STOPPING) {
      return Standing.STOPS;
    }
    return signs.isHeardLately(member) ? Standing.STAYS : Standing.KEEPS;
  }

  private boolean isDrained(Self self) {
    return decisions.drained().contains(self.home()) || decisions.drained().contains(self.host());
  }

  /// Whether a member does not know that bundles were split, and would process too much.
  private boolean isOutdated(Self self) {
    return self.mostFormat() < Part.FORMAT && !decisions.parts().isEmpty();
  }

  /// What a bundle weighs of which that is not known.
  private static double usualWeight(Map<String, Sign> living) {
    double sum = 0;
    int count = 0;
    for (Sign sign : living.values()) {
      for (Report report : sign.reports()) {
        if (report.state().isHeld() && report.weight() > 0) {
          sum += report.weight();
          count++;
        }
      }
    }
    return count == 0 ? 1 : sum / count;
  }

  private Bundle bundle(
      int number,
      Seat seat,
      Map<String, Sign> living,
      List<String> stored,
      double usual,
      long nowNanos) {
    Sign last = signs.last(seat.owner());
    boolean orphan = !seat.owner().isEmpty() && !living.containsKey(seat.owner());
    if (orphan || isGoing(living.get(seat.owner()))) {
      leftBy.put(number, seat.owner());
    }
    if (!orphan) {
      orphanSince.remove(number);
    } else {
      orphanSince.putIfAbsent(number, nowNanos);
    }
    Report owned = last == null ? null : last.report(number);
    List<String> warm = new ArrayList<>();
    for (String follower : seat.followers()) {
      Report report = report(living.get(follower), number);
      if (report != null && report.isWarm()) {
        warm.add(follower);
      }
    }
    List<String> elsewhere = new ArrayList<>();
    for (String home : stored) {
      if (!home.equals(seat.owner()) && !seat.followers().contains(home)) {
        elsewhere.add(home);
      }
    }
    return new Bundle(
        number,
        owned == null || owned.weight() <= 0 ? usual : owned.weight(),
        bytes(number, living, stored, owned),
        seat,
        hold(number, seat, last),
        warm,
        elsewhere,
        orphan ? nowNanos - orphanSince.getOrDefault(number, nowNanos) : 0,
        last == null || (last.phase() != Phase.GONE && last.self().bundles().contains(number)),
        returned(number, living),
        wish(number, living));
  }

  private boolean isGoing(@Nullable Sign sign) {
    return sign != null
        && (sign.phase() == Phase.LEAVING
            || sign.phase() == Phase.STOPPING
            || isDrained(sign.self()));
  }

  private String returned(int number, Map<String, Sign> living) {
    String home = leftBy.getOrDefault(number, "");
    Sign sign = living.get(home);
    return sign == null || isGoing(sign) ? "" : home;
  }

  /// What was asked for holds for one life of a home.
  private Wish wish(int number, Map<String, Sign> living) {
    MoveRequest asked = decisions.moves().get(number);
    Sign sign = asked == null ? null : living.get(asked.home());
    return asked == null || sign == null || sign.self().life() != asked.life()
        ? Wish.NONE
        : new Wish(asked.home(), asked.from());
  }

  private static long bytes(
      int number, Map<String, Sign> living, List<String> stored, @Nullable Report owned) {
    long bytes = owned == null ? 0 : owned.bytes();
    for (String home : stored) {
      Report report = report(living.get(home), number);
      bytes = report == null ? bytes : Math.max(bytes, report.bytes());
    }
    return bytes;
  }

  private static @Nullable Report report(@Nullable Sign sign, int bundle) {
    return sign == null ? null : sign.report(bundle);
  }

  private static boolean isOwner(int number, @Nullable Sign said, long version) {
    Report report = report(said, number);
    return report != null
        && (report.state() == State.OWNER || report.state() == State.DONE)
        && report.version() == version;
  }

  /// @param last the owner's last sign
  private Hold hold(int number, Seat seat, @Nullable Sign last) {
    if (last == null) {
      return Hold.HELD;
    }
    if (seat.giving() && isOwner(number, signs.last(seat.heir()), seat.heirVersion())) {
      return Hold.RELEASED; // it has waited for that
    }
    Report report = last.report(number);
    if (report != null && report.state() == State.RELEASED && report.version() == seat.version()) {
      return Hold.RELEASED;
    }
    if (last.phase().isGone()) {
      return Hold.LOST; // what a former process of the home had is still to be barred
    }
    boolean knows = last.applied() >= decisions.orders(seat.owner()).version();
    boolean holds = report != null && report.state().isHeld();
    return seat.giving() && knows && !holds ? Hold.LOST : Hold.HELD;
  }
}
