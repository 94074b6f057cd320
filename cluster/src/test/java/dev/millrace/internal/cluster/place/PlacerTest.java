package dev.millrace.internal.cluster.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import dev.millrace.internal.cluster.place.Facts.Hold;
import dev.millrace.internal.cluster.place.Facts.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacerTest {
  private static final Policy PLAIN = Policy.defaults().withAffinityWait(Duration.ZERO);

  @Test
  void placementsAreAsTheyShouldBeWhateverHappens() {
    for (long seed = 0; seed < 200; seed++) {
      Policy policy = PlacerWorld.drawPolicy(new Random(seed));
      PlacerWorld world = new PlacerWorld(seed, policy, new Random(seed).nextInt(40));
      world.wishful = seed % 2 == 1;
      for (int step = 0; step < 60; step++) {
        happen(world);
        Facts facts = world.facts();
        Placement placement = Placer.next(facts, policy);
        try {
          new PlacementCheck(facts, policy, placement).all();
          assertEquals(placement, Placer.next(facts, policy));
          assertNothingChangesWithoutNews(facts, policy, placement);
        } catch (AssertionError e) {
          throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
        }
        world.apply(placement);
        world.nowNanos += world.random.nextInt(20) * 1_000_000_000L;
      }
    }
  }

  private static void happen(PlacerWorld world) {
    if (world.wishful) {
      world.wish();
    }
    switch (world.random.nextInt(8)) {
      case 0, 1 -> world.join();
      case 2 -> world.die();
      case 3 -> world.leave();
      case 4 -> {
        for (int i = 0; i < 5; i++) {
          world.join();
        }
      }
      default -> {}
    }
  }

  /// Another plan on the same facts may go on with hand-overs, and changes nothing else. What waits
  /// for its home may find room elsewhere meanwhile.
  private static void assertNothingChangesWithoutNews(
      Facts facts, Policy policy, Placement placement) {
    Facts later = PlacerWorld.after(facts, placement);
    List<Candidate> established = later.members().stream().map(PlacerTest::established).toList();
    later = new Facts(later.version(), established, later.bundles(), 0);
    Placement again = Placer.next(later, policy.withBalanceAfter(Duration.ofDays(1)));
    List<String> living = facts.members().stream().map(Candidate::home).toList();
    placement
        .seats()
        .forEach((number, seat) -> {
          if (!living.contains(seat.owner())) {
            return;
          }
          Seat next = again.seats().get(number);
          assertEquals(seat.owner(), next.owner(), seat + " -> " + next);
          assertEquals(seat.version(), next.version(), seat + " -> " + next);
          assertEquals(seat.heir(), next.heir(), seat + " -> " + next);
        });
  }

  private static Candidate established(Candidate member) {
    return new Candidate(
        member.home(),
        member.volume(),
        member.host(),
        member.rack(),
        member.capacity(),
        member.standing(),
        member.bundles(),
        false);
  }

  @Test
  void nobodyGetsWhatItsProgramHasNot() {
    int moved = 0;
    for (long seed = 0; seed < 200; seed++) {
      Policy policy = PlacerWorld.drawPolicy(new Random(seed));
      PlacerWorld world = new PlacerWorld(seed, policy, 30);
      world.versions = true;
      for (int step = 0; step < 40; step++) {
        happen(world);
        Facts facts = world.facts();
        Placement placement = Placer.next(facts, policy);
        for (Bundle bundle : facts.bundles()) {
          Seat seat = placement.seats().get(bundle.number());
          String what = "seed " + seed + ", step " + step + ": " + bundle + " -> " + seat;
          if (seat.equals(bundle.seat()) && !isThere(world, seat.owner(), bundle)) {
            continue; // it waits
          }
          moved += seat.owner().equals(bundle.seat().owner()) ? 0 : 1;
          assertTrue(seat.owner().isEmpty() || isThere(world, seat.owner(), bundle), what);
          assertTrue(seat.heir().isEmpty() || isThere(world, seat.heir(), bundle), what);
          seat.followers().forEach(each -> assertTrue(isThere(world, each, bundle), what));
        }
        world.apply(placement);
        world.nowNanos += world.random.nextInt(20) * 1_000_000_000L;
      }
    }
    assertTrue(moved > 1_000, moved + " bundles have got another owner");
  }

  private static boolean isThere(PlacerWorld world, String home, Bundle bundle) {
    Candidate member = world.members.get(home);
    return member != null && member.bundles().contains(bundle.number());
  }

  /// Its share is of those bundles of which it has state, wherever they went meanwhile.
  @Test
  void whoIsBackGetsWhatItsDiskHas() {
    List<Candidate> members =
        List.of("a", "b", "c", "d").stream()
            .map(home ->
                new Candidate(
                    home,
                    "disk " + home,
                    home,
                    "",
                    1,
                    Standing.STAYS,
                    PlacerWorld.ALL,
                    home.equals("a")))
            .toList();
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<Integer> numbers = new ArrayList<>(IntStream.range(0, 16).boxed().toList());
      Collections.shuffle(numbers, random);
      Set<Integer> former = new TreeSet<>();
      List<Bundle> bundles = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String owner = List.of("b", "c", "d").get(i % 3);
        List<Home> homes = new ArrayList<>(List.of(new Home(owner, "disk " + owner)));
        boolean isFormer = i == 0 || i == 3 || i == 4 || i == 5; // 2 of b, 1 of c, 1 of d
        List<String> stored = isFormer && random.nextBoolean() ? List.of("a") : List.of();
        if (isFormer) {
          former.add(numbers.get(i));
          if (stored.isEmpty()) {
            homes.add(new Home("a", "disk a"));
          }
        }
        Seat seat = new Seat(1, owner, false, "", 0, List.of(), homes);
        bundles.add(
            new Bundle(
                numbers.get(i), 1, 0, seat, Hold.HELD, List.of(), stored, 0, false, "", Wish.NONE));
      }
      bundles.sort(Comparator.comparingInt(Bundle::number));
      Placement placement = Placer.next(new Facts(7, members, bundles, 0), PLAIN);
      Set<Integer> coming = new TreeSet<>();
      placement
          .seats()
          .forEach((number, seat) -> {
            if (seat.heir().equals("a")) {
              coming.add(number);
            }
          });
      assertEquals(former, coming, "seed " + seed);
    }
  }

  /// A process that is replaced by one of the version before has no part of what is new.
  @Test
  void whatAMemberHasNoMoreGoesToOneThatHasIt() {
    List<Candidate> members =
        List.of(
            new Candidate("a", "disk a", "1", "", 1, Standing.STAYS, PlacerWorld.FORMER, false),
            new Candidate("b", "disk b", "2", "", 1, Standing.STAYS, PlacerWorld.ALL, false));
    Seat seat = owned("a", List.of());
    Bundle bundle =
        new Bundle(33, 1, 0, seat, Hold.HELD, List.of(), List.of(), 0, false, "", Wish.NONE);
    Placement placement = Placer.next(new Facts(7, members, List.of(bundle), 0), PLAIN);
    assertEquals("b", placement.seats().get(33).owner());
    assertTrue(placement.seats().get(33).force());
    Facts without = new Facts(7, members.subList(0, 1), List.of(bundle), 0);
    assertEquals(seat, Placer.next(without, PLAIN).seats().get(33));
  }

  @Test
  void aFirstPlacementIsEvenAndItsFollowersAreInOtherRacks() {
    for (long seed = 0; seed < 200; seed++) {
      Policy policy = PLAIN.withStandbys(1);
      PlacerWorld world = new PlacerWorld(seed, policy, 5 + new Random(seed).nextInt(100));
      world.sure = true;
      for (int i = 0; i < 12; i++) {
        world.join();
      }
      world.rumours = false;
      Facts facts = world.facts();
      Placement placement = Placer.next(facts, policy);
      Map<String, Double> fullness = new TreeMap<>();
      double heaviest = 0;
      double total = 0;
      for (Bundle bundle : facts.bundles()) {
        Candidate owner = world.members.get(placement.seats().get(bundle.number()).owner());
        fullness.merge(owner.home(), bundle.weight() / owner.capacity(), Double::sum);
        heaviest = Math.max(heaviest, bundle.weight());
        total += bundle.weight();
      }
      double mean =
          total / world.members.values().stream().mapToDouble(each -> each.capacity()).sum();
      for (double each : fullness.values()) {
        assertTrue(each <= mean + heaviest + 1e-9, "seed " + seed + ": " + fullness);
      }
      long racks = world.members.values().stream().map(Candidate::rack).distinct().count();
      placement
          .seats()
          .forEach((number, seat) -> {
            String owner = world.members.get(seat.owner()).rack();
            String follower = world.members.get(seat.followers().getFirst()).rack();
            assertTrue(racks == 1 || !owner.equals(follower), seat.toString());
          });
    }
  }

  @Test
  void anUnevenLoadIsEvenedOutAFewAtATimeAndThenNothingMoves() {
    for (long seed = 0; seed < 10; seed++) {
      Policy policy = PLAIN.withStandbys((int) (seed % 3));
      PlacerWorld world = new PlacerWorld(seed, policy, 20 + new Random(seed).nextInt(60));
      world.sure = true;
      world.join();
      world.join();
      world.apply(Placer.next(world.facts(), policy));
      for (int i = 0; i < 4; i++) {
        world.join();
      }
      int moved = 0;
      int unevenFor = 0;
      for (int second = 0; second < 600; second++) {
        Facts facts = world.facts();
        Placement placement = Placer.next(facts, policy);
        new PlacementCheck(facts, policy, placement).all();
        for (Bundle bundle : facts.bundles()) {
          if (!placement.seats().get(bundle.number()).owner().equals(bundle.seat().owner())) {
            moved++;
            assertTrue(second >= 60, "moved after " + second + " s");
          }
        }
        unevenFor = placement.unbalanced() ? second : unevenFor;
        world.apply(placement);
        world.nowNanos += 1_000_000_000L;
      }
      assertTrue(unevenFor > 0 && unevenFor < 400, "seed " + seed + ": uneven at " + unevenFor);
      assertTrue(moved <= world.seats.size(), "seed " + seed + ": " + moved + " moves");
      assertTrue(
          world.seats.values().stream().allMatch(seat -> seat.heir().isEmpty()),
          "seed " + seed + ": a move never ends");
    }
  }

  /// The load was even before, and stays so as it is counted.
  @Test
  void whatSomebodyWantsElsewhereGoesThereAndNothingElseMoves() {
    int granted = 0;
    for (long seed = 0; seed < 40; seed++) {
      Policy policy = PLAIN.withStandbys((int) (seed % 3));
      PlacerWorld world = new PlacerWorld(seed, policy, 20 + new Random(seed).nextInt(40));
      world.sure = true;
      for (int i = 0; i < 2 + seed % 5; i++) {
        world.join();
      }
      for (int second = 0; second < 150; second++) {
        world.apply(Placer.next(world.facts(), policy));
        world.nowNanos += 1_000_000_000L;
      }
      for (int i = 0; i < 10; i++) {
        world.wish();
      }
      for (int second = 0; second < 150; second++) {
        Facts facts = world.facts();
        Placement placement = Placer.next(facts, policy);
        new PlacementCheck(facts, policy, placement).all();
        for (Bundle bundle : facts.bundles()) {
          Seat seat = placement.seats().get(bundle.number());
          String what = "seed " + seed + ": " + bundle + " -> " + seat;
          if (bundle.wish().equals(Wish.NONE)) {
            assertEquals(bundle.seat().owner(), seat.owner(), what);
            assertEquals("", seat.heir(), what);
          } else if (second == 149) {
            assertEquals(bundle.wish().home(), seat.owner(), what);
            granted++;
          }
        }
        world.apply(placement);
        world.nowNanos += 1_000_000_000L;
      }
    }
    assertTrue(granted > 200, granted + " wishes");
  }

  @Test
  void whoReturnsGetsAgainWhatItHad() {
    for (int count = 2; count < 8; count++) {
      SortedMap<Integer, Seat> seats = new TreeMap<>();
      for (int bundle = 0; bundle < count * 5; bundle++) {
        seats.put(bundle, Seat.EMPTY);
      }
      List<Candidate> others = new ArrayList<>();
      for (int i = 1; i < count; i++) {
        others.add(alike("h" + i, Standing.STAYS, false));
      }
      settle(seats, others, alike("h0", Standing.STAYS, false));
      Set<Integer> had = owned(seats, "h0");
      assertEquals(5, had.size());
      settle(seats, others, alike("h0", Standing.LEAVES, false));
      assertEquals(Set.of(), owned(seats, "h0"));
      settle(seats, others, alike("h0", Standing.STAYS, true));
      assertEquals(had, owned(seats, "h0"));
    }
  }

  /// How busy bundles are is measured, and never the same for all.
  @Test
  void whoReturnsGetsAgainMostOfWhatItHadThoughSomeAreBusier() {
    int had = 0;
    int hasAgain = 0;
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      IntToDoubleFunction weight = bundle -> Math.pow(1.1, new Random(bundle).nextInt(3));
      SortedMap<Integer, Seat> seats = new TreeMap<>();
      for (int bundle = 0; bundle < 16; bundle++) {
        seats.put(100 * random.nextInt(1_000) + bundle, Seat.EMPTY);
      }
      List<Candidate> others = new ArrayList<>();
      for (int i = 1; i < 4; i++) {
        others.add(alike("h" + i, Standing.STAYS, false));
      }
      settle(seats, others, alike("h0", Standing.STAYS, false), weight);
      Set<Integer> before = owned(seats, "h0");
      settle(seats, others, alike("h0", Standing.LEAVES, false), weight);
      settle(seats, others, alike("h0", Standing.STAYS, true), weight);
      Set<Integer> again = owned(seats, "h0");
      again.retainAll(before);
      had += before.size();
      hasAgain += again.size();
    }
    assertTrue(hasAgain >= 0.9 * had, hasAgain + " of " + had);
  }

  /// One after the other, while what is known of how busy bundles are changes all the time.
  @Test
  void whoIsRestartedHasAgainWhatItHadThoughOtherBundlesWouldDo() {
    int had = 0;
    int hasAgain = 0;
    for (long seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      SortedMap<Integer, Seat> seats = new TreeMap<>();
      for (int bundle = 0; bundle < 16; bundle++) {
        seats.put(bundle, Seat.EMPTY);
      }
      for (int restart = 0; restart < 20; restart++) {
        String home = "h" + random.nextInt(4);
        List<Candidate> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          if (!home.equals("h" + i)) {
            others.add(alike("h" + i, Standing.STAYS, false));
          }
        }
        settle(seats, others, alike(home, Standing.STAYS, false), measured(random));
        Set<Integer> before = owned(seats, home);
        settle(seats, others, alike(home, Standing.STOPS, false), measured(random));
        settle(seats, others, alike(home, Standing.STAYS, true), measured(random), before);
        Set<Integer> again = owned(seats, home);
        again.retainAll(before);
        had += before.size();
        hasAgain += again.size();
      }
    }
    assertTrue(hasAgain >= 0.99 * had, hasAgain + " of " + had);
  }

  private static IntToDoubleFunction measured(Random random) {
    double[] weights = random.doubles(16, 0.8, 1.2).toArray();
    return bundle -> weights[bundle];
  }

  private static Candidate alike(String home, Standing standing, boolean newcomer) {
    return new Candidate(
        home, "disk of " + home, "host", "", 1, standing, PlacerWorld.ALL, newcomer);
  }

  private static Set<Integer> owned(SortedMap<Integer, Seat> seats, String home) {
    Set<Integer> owned = new TreeSet<>();
    seats.forEach((bundle, seat) -> {
      if (seat.owner().equals(home)) {
        owned.add(bundle);
      }
    });
    return owned;
  }

  /// Plans until nothing changes any more; whoever follows is warm.
  private static void settle(
      SortedMap<Integer, Seat> seats, List<Candidate> others, Candidate first) {
    settle(seats, others, first, _ -> 1);
  }

  private static void settle(
      SortedMap<Integer, Seat> seats,
      List<Candidate> others,
      Candidate first,
      IntToDoubleFunction weight) {
    settle(seats, others, first, weight, Set.of());
  }

  /// @param returned what the first had when it went away
  private static void settle(
      SortedMap<Integer, Seat> seats,
      List<Candidate> others,
      Candidate first,
      IntToDoubleFunction weight,
      Set<Integer> returned) {
    List<Candidate> members = new ArrayList<>(List.of(first));
    members.addAll(others);
    SortedMap<Integer, Seat> before = new TreeMap<>();
    for (long version = 1; !before.equals(seats); version++) {
      assertTrue(version < 1000, "it never ends");
      before = new TreeMap<>(seats);
      List<Bundle> bundles = new ArrayList<>();
      seats.forEach((bundle, seat) -> {
        Hold hold = seat.giving() ? Hold.RELEASED : Hold.HELD;
        bundles.add(
            new Bundle(
                bundle,
                weight.applyAsDouble(bundle),
                0,
                seat,
                hold,
                seat.followers(),
                List.of(),
                0,
                false,
                returned.contains(bundle) ? first.home() : "",
                Wish.NONE));
      });
      seats.putAll(Placer.next(new Facts(version, members, bundles, 0), PLAIN).seats());
    }
  }

  @Test
  void aBundleWithMuchStateWaitsForItsHomeAndOneWithLittleDoesNot() {
    Policy policy = PLAIN.withAffinityWait(Duration.ofSeconds(30));
    Seat seat = owned("gone", List.of());
    long much = 31 * policy.restoreBytesPerSecond();
    assertEquals("gone", next(policy, bundle(seat, Hold.HELD, much, 29, true)).owner());
    assertEquals("a", next(policy, bundle(seat, Hold.HELD, much, 30, true)).owner());
    assertEquals("a", next(policy, bundle(seat, Hold.HELD, much, 29, false)).owner());
    assertEquals("a", next(policy, bundle(seat, Hold.HELD, much - 100_000_000, 1, true)).owner());
    assertTrue(next(policy, bundle(seat, Hold.HELD, 0, 1, true)).force());
    assertFalse(next(policy, bundle(seat, Hold.RELEASED, 0, 1, true)).force());
  }

  /// What is followed already, or on the same disk, others have at once, however much it is.
  @Test
  void whoStopsHandsOverWhatWouldNotWaitForItsReturn() {
    long much = 31 * PLAIN.restoreBytesPerSecond();
    assertEquals("far", heirOf(Standing.STOPS, much / 2, List.of(), "another disk"));
    assertEquals("", heirOf(Standing.STOPS, much, List.of(), "another disk"));
    assertEquals("far", heirOf(Standing.LEAVES, much, List.of(), "another disk"));
    assertEquals("far", heirOf(Standing.STOPS, much, List.of("far"), "another disk"));
    assertEquals("near", heirOf(Standing.STOPS, much, List.of(), "disk of going"));
    assertEquals("far", heirOf(Standing.STOPS, much, List.of("far"), "disk of going"));
  }

  /// @param nearsDisk that of a member which is fuller than the other
  private static String heirOf(Standing going, long bytes, List<String> warm, String nearsDisk) {
    List<Candidate> members =
        List.of(
            new Candidate("far", "disk of far", "1", "", 1, Standing.STAYS, PlacerWorld.ALL, false),
            new Candidate("going", "disk of going", "2", "", 1, going, PlacerWorld.ALL, false),
            new Candidate("near", nearsDisk, "2", "", 1, Standing.STAYS, PlacerWorld.ALL, false));
    Seat nears = owned("near", List.of());
    List<Bundle> bundles =
        List.of(
            new Bundle(
                0,
                1,
                bytes,
                owned("going", warm),
                Hold.HELD,
                warm,
                List.of(),
                0,
                true,
                "",
                Wish.NONE),
            new Bundle(1, 1, 0, nears, Hold.HELD, List.of(), List.of(), 0, true, "", Wish.NONE));
    Policy policy = PLAIN.withAffinityWait(Duration.ofSeconds(30));
    return Placer.next(new Facts(7, members, bundles, 0), policy).seats().get(0).heir();
  }

  private static Seat owned(String owner, List<String> followers) {
    return new Seat(
        1, owner, false, "", 0, followers, List.of(new Home(owner, "disk of " + owner)));
  }

  private static Bundle bundle(Seat seat, Hold hold, long bytes, int seconds, boolean awaited) {
    return new Bundle(
        0,
        1,
        bytes,
        seat,
        hold,
        List.of(),
        List.of(),
        seconds * 1_000_000_000L,
        awaited,
        "",
        Wish.NONE);
  }

  private static Seat next(Policy policy, Bundle bundle) {
    List<Candidate> members =
        List.of(
            new Candidate("a", "disk a", "host", "", 1, Standing.STAYS, PlacerWorld.ALL, false));
    return Placer.next(new Facts(7, members, List.of(bundle), 0), policy).seats().get(0);
  }

  @Test
  void anOrphanGoesWhereItsStateIs() {
    List<Candidate> members =
        List.of(
            new Candidate("a", "disk a", "1", "", 1, Standing.STAYS, PlacerWorld.ALL, false),
            new Candidate("b", "disk b", "2", "", 1, Standing.STAYS, PlacerWorld.ALL, false),
            new Candidate("c", "disk of gone", "3", "", 1, Standing.STAYS, PlacerWorld.ALL, false),
            new Candidate("d", "disk d", "4", "", 1, Standing.STAYS, PlacerWorld.ALL, false));
    Seat seat = owned("gone", List.of());
    assertEquals("c", orphan(members, seat, List.of()).owner()); // a neighbour of its disk
    assertEquals("b", orphan(members, seat, List.of("b")).owner()); // its state lies there
    Seat before =
        new Seat(1, "gone", false, "", 0, List.of(), List.of(home("gone"), home("x"), home("d")));
    assertEquals("d", orphan(members, before, List.of("b")).owner()); // it was there before
    Seat followed = new Seat(1, "gone", false, "", 0, List.of("a"), before.homes());
    assertEquals("a", orphan(members, followed, List.of("b")).owner()); // nearly warm
  }

  private static Home home(String home) {
    return new Home(home, "disk of " + home);
  }

  private static Seat orphan(List<Candidate> members, Seat seat, List<String> stored) {
    Bundle bundle = new Bundle(0, 1, 0, seat, Hold.HELD, List.of(), stored, 1, true, "", Wish.NONE);
    return Placer.next(new Facts(7, members, List.of(bundle), 0), PLAIN).seats().get(0);
  }

  /// What is wanted on a quiet machine is a tenth of this.
  @Test
  void manyMembersArePlannedInTime() {
    assertPlannedWithin(2_500, 350, 1_000, 21);
    assertPlannedWithin(100_000, 10_000, 20_000, 600);
  }

  /// Places everything, then has some members die at once; only their bundles move.
  private static void assertPlannedWithin(int bundles, int members, long millis, int deaths) {
    Policy policy = PLAIN.withStandbys(1);
    PlacerWorld world = new PlacerWorld(bundles, policy, bundles);
    world.rumours = false;
    for (int i = 0; i < members; i++) {
      world.joinOnOwnHost();
    }
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      Facts facts = world.facts();
      long begun = System.nanoTime();
      Placement placement = Placer.next(facts, policy);
      best = Math.min(best, System.nanoTime() - begun);
      List<Integer> moved = new ArrayList<>();
      for (Bundle bundle : facts.bundles()) {
        String before = bundle.seat().owner();
        if (!placement.seats().get(bundle.number()).owner().equals(before)) {
          assertFalse(world.members.containsKey(before));
          moved.add(bundle.number());
        }
      }
      assertTrue(round > 1 || !moved.isEmpty());
      world.apply(placement);
      if (round == 0) {
        for (int i = 0; i < deaths; i++) {
          world.die();
        }
      }
    }
    assertTrue(best < millis * 1_000_000, bundles + " bundles took " + best / 1_000_000 + " ms");
  }
}
