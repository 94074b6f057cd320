package dev.millrace.internal.cluster.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import dev.millrace.internal.cluster.place.Facts.Hold;
import dev.millrace.internal.cluster.place.Facts.Standing;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// What must be true of every placement, by its own reckoning.
final class PlacementCheck {
  private static final double ROUNDING = 1e-9;

  private final Facts facts;
  private final Policy policy;
  private final Placement placement;
  private final Map<String, Candidate> members = new TreeMap<>();
  private final Map<String, Double> load = new TreeMap<>();
  private final Map<String, Double> fair = new TreeMap<>();
  private final List<Candidate> staying;

  PlacementCheck(Facts facts, Policy policy, Placement placement) {
    this.facts = facts;
    this.policy = policy;
    this.placement = placement;
    facts.members().forEach(member -> members.put(member.home(), member));
    staying =
        facts.members().stream().filter(member -> member.standing() == Standing.STAYS).toList();
    List<Candidate> keeping = facts.members().stream().filter(member -> !member.leaving()).toList();
    double total = facts.bundles().stream().mapToDouble(Bundle::weight).sum();
    double capacity = keeping.stream().mapToDouble(Candidate::capacity).sum();
    keeping.forEach(member -> fair.put(member.home(), total * member.capacity() / capacity));
    for (Bundle bundle : facts.bundles()) {
      Seat seat = seat(bundle);
      String target = seat.heir().isEmpty() ? seat.owner() : seat.heir();
      String from = bundle.wish().from();
      boolean counts = !target.isEmpty() && isWished(bundle) && isStaying(from);
      load.merge(counts ? from : target, bundle.weight(), Double::sum);
    }
  }

  private Seat seat(Bundle bundle) {
    return placement.seats().get(bundle.number());
  }

  void all() {
    assertEquals(
        facts.bundles().stream().map(Bundle::number).toList(),
        List.copyOf(placement.seats().keySet()));
    int moving = 0;
    int movingBefore = 0;
    for (Bundle bundle : facts.bundles()) {
      Seat seat = seat(bundle);
      Supplier<String> what = () -> bundle + " -> " + seat;
      owner(bundle, seat, what);
      versions(bundle, seat, what);
      handOver(bundle, seat, what);
      wish(bundle, seat, what);
      if (isWaiting(bundle, seat)) {
        assertEquals(bundle.seat(), seat, what);
      } else {
        followers(bundle, seat, what);
      }
      moving += isMove(seat) ? 1 : 0;
      movingBefore += isMove(bundle.seat()) ? 1 : 0;
    }
    movesAreFew(moving, movingBefore);
  }

  /// Each new member may be handed over as many at once as all others together.
  private void movesAreFew(int moving, int movingBefore) {
    int toNew = 0;
    for (Candidate member : facts.members()) {
      int most = policy.maxMoves();
      int now = member.newcomer() ? movesTo(member, this::seat) : 0;
      assertTrue(
          now <= Math.max(most, movesTo(member, Bundle::seat)),
          () -> now + " bundles are moved to " + member + " at once");
      toNew += now;
    }
    int others = moving - toNew;
    assertTrue(
        others <= Math.max(policy.maxMoves(), movingBefore), others + " bundles are moved at once");
    if (facts.unbalancedNanos() < policy.balanceAfter().toNanos()) {
      long asked = facts.bundles().stream().filter(each -> isGranted(each, seat(each))).count();
      assertTrue(others - asked <= movingBefore, "a bundle is moved before it is time to");
    }
  }

  /// Whether somebody wants a bundle at a member that lives and stays.
  private boolean isWished(Bundle bundle) {
    return isStaying(bundle.wish().home());
  }

  private boolean isGranted(Bundle bundle, Seat seat) {
    return isWished(bundle) && isMove(seat) && seat.heir().equals(bundle.wish().home());
  }

  /// It stays where it is wanted, and goes to nobody else. It may have to wait for other moves.
  private void wish(Bundle bundle, Seat seat, Supplier<String> what) {
    Seat before = bundle.seat();
    String home = bundle.wish().home();
    if (!isWished(bundle) || isWaiting(bundle, seat) || seat.owner().isEmpty()) {
      return;
    }
    boolean given = before.giving() && seat.giving();
    if (seat.owner().equals(home)) {
      assertTrue(seat.heir().isEmpty() || given, what);
    } else if (isLeaving(seat.owner()) && !isStaying(before.heir())) {
      assertTrue(seat.heir().equals(home) || !mayGet(home) || given, what);
    } else if (!seat.heir().equals(home) && !given) {
      boolean goesOn = before.owner().equals(seat.owner()) && isStaying(before.heir());
      assertEquals(goesOn ? before.heir() : "", seat.heir(), what);
      long all = facts.bundles().stream().filter(each -> isMove(seat(each))).count();
      int most = policy.maxMoves();
      boolean full =
          members.get(home).newcomer()
              ? movesTo(members.get(home), this::seat) >= most
              : all >= most;
      assertTrue(!mayGet(home) || full, what);
    }
  }

  private int movesTo(Candidate member, Function<Bundle, Seat> seats) {
    return Math.toIntExact(
        facts.bundles().stream()
            .map(seats)
            .filter(seat -> isMove(seat) && seat.heir().equals(member.home()))
            .count());
  }

  private boolean isLiving(String home) {
    return members.containsKey(home);
  }

  private boolean isLeaving(String home) {
    return isLiving(home) && members.get(home).leaving();
  }

  private boolean isMove(Seat seat) {
    return !seat.heir().isEmpty() && isStaying(seat.owner());
  }

  private boolean isWaiting(Bundle bundle, Seat seat) {
    return seat.owner().equals(bundle.seat().owner()) && !isLiving(seat.owner());
  }

  private void owner(Bundle bundle, Seat seat, Supplier<String> what) {
    Seat before = bundle.seat();
    boolean orphan = !isLiving(before.owner());
    boolean given = before.giving() && isLiving(before.heir());
    if (given && (orphan || bundle.hold() != Hold.HELD)) {
      assertEquals(before.heir(), seat.owner(), what);
      assertEquals(bundle.hold() != Hold.RELEASED, seat.force(), what);
    } else if (!orphan) {
      assertEquals(before.owner(), seat.owner(), what);
      assertTrue(seat.force() || !before.giving() || seat.giving(), what);
    } else if (isWaiting(bundle, seat)) {
      boolean worthIt =
          !before.owner().isEmpty()
              && bundle.awaited()
              && isWorthWaiting(bundle)
              && bundle.orphanNanos() < policy.affinityWait().toNanos();
      assertTrue(staying.isEmpty() || worthIt, what);
      assertNoRoomAtAWarmFollower(bundle, "", what);
    } else {
      assertTrue(mayGet(seat.owner()), what);
      assertNoRoomAtAWarmFollower(bundle, seat.owner(), what);
      assertEquals(bundle.hold() != Hold.RELEASED || before.giving(), seat.force(), what);
    }
  }

  private boolean isStaying(String home) {
    return isLiving(home) && !isLeaving(home);
  }

  /// Whether a member may get something that it does not have.
  private boolean mayGet(String home) {
    return isLiving(home) && members.get(home).standing() == Standing.STAYS;
  }

  /// A warm follower that has room gets the bundle; later the load only becomes more, unless
  /// bundles are moved away from it.
  private void assertNoRoomAtAWarmFollower(Bundle bundle, String chosen, Supplier<String> what) {
    if (bundle.warm().contains(chosen)
        || facts.unbalancedNanos() >= policy.balanceAfter().toNanos()
        || facts.members().stream().anyMatch(Candidate::newcomer)) {
      return;
    }
    for (String home : bundle.warm()) {
      if (mayGet(home)) {
        assertTrue(
            load.getOrDefault(home, 0.0) + bundle.weight()
                > policy.overload() * fair.get(home) - ROUNDING,
            () -> what.get() + " although " + home + " is warm and has room");
      }
    }
  }

  private void versions(Bundle bundle, Seat seat, Supplier<String> what) {
    Seat before = bundle.seat();
    if (seat.owner().isEmpty()) {
      assertEquals(0, seat.version(), what);
    } else if (!seat.owner().equals(before.owner()) || (before.giving() && !seat.giving())) {
      boolean told =
          seat.owner().equals(before.heir())
              && before.heirVersion() > before.version()
              && !seat.force();
      assertEquals(told ? before.heirVersion() : facts.version(), seat.version(), what);
    } else {
      assertEquals(before.version(), seat.version(), what);
    }
    if (seat.version() == facts.version() && isLiving(seat.owner())) {
      assertEquals(seat.owner(), seat.homes().getFirst().home(), what);
    }
  }

  private void handOver(Bundle bundle, Seat seat, Supplier<String> what) {
    if (isWaiting(bundle, seat)) {
      return;
    }
    if (!seat.heir().isEmpty()) {
      assertTrue(mayGet(seat.heir()) || seat.heir().equals(bundle.seat().heir()), what);
      assertTrue(isStaying(seat.heir()) || bundle.seat().giving(), what);
      assertNotEquals(seat.owner(), seat.heir(), what);
      assertTrue(seat.followers().contains(seat.heir()), what);
    }
    if (seat.giving()) {
      assertFalse(seat.heir().isEmpty(), what);
      boolean gaveBefore =
          bundle.seat().giving()
              && bundle.seat().owner().equals(seat.owner())
              && bundle.seat().heir().equals(seat.heir());
      boolean sameDisk =
          members.get(seat.owner()).volume().equals(members.get(seat.heir()).volume());
      assertTrue(gaveBefore || sameDisk || bundle.warm().contains(seat.heir()), what);
      // No two heirs are told the same version, and none that of an owner.
      assertEquals(
          gaveBefore ? bundle.seat().heirVersion() : facts.version(), seat.heirVersion(), what);
      assertEquals(bundle.seat().version(), seat.version(), what);
    }
    if (isLeaving(seat.owner()) && !staying.isEmpty() && seat.heir().isEmpty()) {
      assertEquals(Standing.STOPS, members.get(seat.owner()).standing(), what);
      assertTrue(isWorthWaiting(bundle), what);
      assertTrue(bundle.warm().stream().noneMatch(this::mayGet), what);
    }
  }

  private boolean isWorthWaiting(Bundle bundle) {
    return bundle.bytes() / (double) policy.restoreBytesPerSecond()
        > policy.affinityWait().toMillis() / 1000.0;
  }

  private void followers(Bundle bundle, Seat seat, Supplier<String> what) {
    if (seat.owner().isEmpty()) {
      assertEquals(List.of(), seat.followers(), what);
      return;
    }
    Set<String> followers = new LinkedHashSet<>(seat.followers());
    assertEquals(seat.followers().size(), followers.size(), what);
    assertFalse(followers.contains(seat.owner()), what);
    for (String follower : followers) {
      boolean given = seat.giving() && follower.equals(seat.heir());
      assertTrue(isStaying(follower) || (given && isLiving(follower)), what);
    }
    for (String follower : followers) {
      boolean sameDisk = members.get(follower).volume().equals(members.get(seat.owner()).volume());
      assertTrue(!sameDisk || follower.equals(seat.heir()), what);
    }
    for (String follower : followers) {
      assertTrue(
          mayGet(follower)
              || bundle.seat().followers().contains(follower)
              || bundle.seat().owner().equals(follower),
          what);
    }
    String disk = members.get(seat.owner()).volume();
    List<Candidate> others =
        staying.stream().filter(member -> !member.volume().equals(disk)).toList();
    long possible = others.size();
    long wanted = Math.min(policy.standbys(), possible);
    boolean hasHeir = !seat.heir().isEmpty();
    assertTrue(followers.size() >= wanted, what);
    assertTrue(followers.size() <= policy.standbys() + (hasHeir ? 1 : 0), what);
    String host = members.get(seat.owner()).host();
    Set<String> otherHosts = new LinkedHashSet<>();
    others.forEach(member -> otherHosts.add(member.host()));
    otherHosts.remove(host);
    Set<String> used = new LinkedHashSet<>();
    followers.forEach(each -> used.add(members.get(each).host()));
    used.remove(host);
    assertTrue(
        used.size() >= Math.min(wanted, otherHosts.size()),
        () -> what.get() + " has followers on " + used + ", and there are " + otherHosts);
  }
}
