package dev.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.decide.RestartRequest;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.SignWriter;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MemberTest {
  private static final Policy PLAIN = Policy.defaults().withAffinityWait(Duration.ZERO);

  private static ClusterWorld world(long seed, Policy policy, int members) {
    ClusterWorld world = new ClusterWorld(seed, policy, 12, ModelSettings.defaults());
    for (int i = 0; i < members; i++) {
      world.start("m" + i);
    }
    world.runUntilOwned(Duration.ofSeconds(10), "seed " + seed);
    world.run(Duration.ofSeconds(10)); // the first one hands over to those that come
    assertNothingWrong(world);
    return world;
  }

  private static void assertNothingWrong(ClusterWorld world) {
    assertEquals("", world.ledger.violation);
    assertEquals("", world.notAsDecided());
    assertEquals("", world.termsThatDoNotRise());
    assertEquals(1, world.leaders().size());
  }

  private static Map<String, Integer> owned(ClusterWorld world) {
    Map<String, Integer> owned = new TreeMap<>();
    world.ledger.seats().values().forEach(seat -> owned.merge(seat.owner(), 1, Integer::sum));
    return owned;
  }

  @Test
  void membersThatStartTogetherShareTheBundles() {
    ClusterWorld world = world(1, PLAIN, 4);
    assertEquals(Map.of("m0", 3, "m1", 3, "m2", 3, "m3", 3), owned(world));
  }

  @Test
  void aMemberThatLeavesHandsEverythingOverAndNothingStops() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      world.nodes.get("m1").leave(false);
      long unowned = 0;
      for (int tick = 0; world.nodes.containsKey("m1"); tick++) {
        assertTrue(tick < 6000, "m1 does not get idle: " + world.ledger.seats());
        world.tick();
        long longest = unownedTicks(world);
        unowned = Math.max(unowned, longest);
      }
      assertTrue(unowned * 5 < 1000, "a bundle was without an owner for " + unowned * 5 + " ms");
      world.runUntilOwned(Duration.ofSeconds(1), "seed " + seed);
      assertFalse(owned(world).containsKey("m1"));
      assertEquals(0, world.ledger.forced);
      world.run(Duration.ofSeconds(5));
      assertNothingWrong(world);
    }
  }

  private final Map<Integer, Long> without = new TreeMap<>();

  /// For how many ticks a bundle has had no owner at most.
  private long unownedTicks(ClusterWorld world) {
    long longest = 0;
    for (int bundle : world.bundles) {
      boolean owned =
          world.nodes.values().stream().anyMatch(node -> node.hands.state(bundle) == State.OWNER);
      without.merge(bundle, 1L, Long::sum);
      if (owned) {
        without.put(bundle, 0L);
      }
      longest = Math.max(longest, without.get(bundle));
    }
    return longest;
  }

  /// Its bundles go as those of a member that leaves do, and it stays.
  @Test
  void aMemberThatIsDrainedHasNothingUntilThatIsTakenBack() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      Requests drains =
          new Requests("app", world.log.client("command"), world.log.clock(), world::tick);
      without.clear();
      drains.drain("m1", true);
      long unowned = 0;
      for (int tick = 0; owned(world).containsKey("m1"); tick++) {
        assertTrue(tick < 6000, "m1 is not drained: " + world.ledger.seats());
        world.tick();
        unowned = Math.max(unowned, unownedTicks(world));
      }
      assertTrue(unowned * 5 < 1000, "a bundle was without an owner for " + unowned * 5 + " ms");
      world.kill("m0");
      world.run(Duration.ofSeconds(40));
      assertEquals(Map.of("m2", 6, "m3", 6), owned(world), "seed " + seed);
      drains.drain("m1", false);
      world.run(Duration.ofSeconds(20));
      assertEquals(Map.of("m1", 4, "m2", 4, "m3", 4), owned(world), "seed " + seed);
      assertNothingWrong(world);
    }
  }

  @Test
  void nobodyIsDrainedWhereNobodyElseIs() {
    ClusterWorld world = world(1, PLAIN, 2);
    Requests drains =
        new Requests("app", world.log.client("command"), world.log.clock(), world::tick);
    drains.drain("m0", true);
    drains.drain("m1", true);
    world.run(Duration.ofSeconds(20));
    assertEquals(12, owned(world).values().stream().mapToInt(each -> each).sum());
    world.start("m2");
    world.run(Duration.ofSeconds(20));
    assertEquals(Map.of("m2", 12), owned(world));
    assertNothingWrong(world);
  }

  private static String owner(ClusterWorld world, int bundle) {
    return world.ledger.seats().get(bundle).owner();
  }

  @Test
  void whatIsWantedElsewhereGoesThereWithoutAPauseAndNothingElseMoves() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 3);
      int bundle = (int) seed;
      Map<Integer, String> expected = new TreeMap<>();
      world.ledger.seats().forEach((each, seat) -> expected.put(each, seat.owner()));
      String to = expected.get(bundle).equals("m1") ? "m2" : "m1";
      expected.put(bundle, to);
      without.clear();
      world.ask(bundle, world.nodes.get(to));
      long unowned = 0;
      for (int tick = 0; !owner(world, bundle).equals(to); tick++) {
        assertTrue(tick < 6000, "it does not get there: " + world.ledger.seats());
        world.tick();
        unowned = Math.max(unowned, unownedTicks(world));
      }
      world.runUntilOwned(Duration.ofSeconds(1), "seed " + seed);
      assertTrue(unowned * 5 < 1000, "a bundle was without an owner for " + unowned * 5 + " ms");
      world.run(Duration.ofSeconds(90));
      Map<Integer, String> now = new TreeMap<>();
      world.ledger.seats().forEach((each, seat) -> now.put(each, seat.owner()));
      assertEquals(expected, now, "seed " + seed);
      assertNothingWrong(world);
    }
  }

  @Test
  void whatIsWantedSomewhereIsVoidOnceThatProcessHasEnded() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = new ClusterWorld(seed, PLAIN, 1, ModelSettings.defaults());
      world.start("m0");
      world.start("m1");
      world.runUntilOwned(Duration.ofSeconds(10), "seed " + seed);
      String from = owner(world, 0);
      String to = from.equals("m0") ? "m1" : "m0";
      world.ask(0, world.nodes.get(to));
      world.run(Duration.ofSeconds(10));
      assertEquals(to, owner(world, 0), "seed " + seed);
      world.kill(to);
      world.run(Duration.ofSeconds(10));
      assertEquals(from, owner(world, 0), "seed " + seed);
      world.start(to);
      world.run(Duration.ofSeconds(90));
      assertEquals(from, owner(world, 0), "seed " + seed);
      assertNothingWrong(world);
    }
  }

  @Test
  void aRestartIsAskedOfOneLife() {
    ClusterWorld world = world(1, PLAIN, 2);
    Requests requests =
        new Requests("app", world.log.client("command"), world.log.clock(), world::tick);
    long life = world.nodes.get("m1").member.self().life();
    requests.restart("m1", new RestartRequest(life, 1500));
    world.run(Duration.ofSeconds(1));
    assertEquals(Duration.ofMillis(1500), world.nodes.get("m1").member.restartAsked());
    assertNull(world.nodes.get("m0").member.restartAsked());
    world.kill("m1");
    world.start("m1");
    world.run(Duration.ofSeconds(5));
    assertNull(world.nodes.get("m1").member.restartAsked());
  }

  @Test
  void aGoodbyeIsActedUponAtOnce() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 3);
      String leaving = world.leaders().getFirst().equals("m1") ? "m2" : "m1";
      world.nodes.get(leaving).sayGoodbye(seed % 2 == 0);
      while (world.nodes.containsKey(leaving)) {
        world.tick();
      }
      Duration took = world.runUntilOwned(Duration.ofSeconds(5), "seed " + seed);
      assertTrue(took.toMillis() < 1500, "it took " + took);
      assertEquals(0, world.ledger.forced);
      world.run(Duration.ofSeconds(2));
      assertNothingWrong(world);
    }
  }

  /// At whatever moment it dies, and whether its last sign was early or late.
  @Test
  void aDeathIsNoticedWithinThreeSeconds() {
    assertNoticedWithin(2_800, leader -> leader.equals("m1") ? "m2" : "m1");
  }

  @Test
  void aDeathOfTheLeaderIsNoticedWithinThreeSeconds() {
    assertNoticedWithin(2_750, leader -> leader);
  }

  private static void assertNoticedWithin(int millis, UnaryOperator<String> chosen) {
    long longest = 0;
    for (long seed = 0; seed < 20; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      String dies = chosen.apply(world.leaders().getFirst());
      world.run(Duration.ofMillis(new Random(seed).nextInt(1_000)));
      world.kill(dies);
      int ticks = 0;
      while (owned(world).containsKey(dies)) {
        assertTrue(ticks++ < 6000, "Nobody notices that it is dead.");
        world.tick();
      }
      longest = Math.max(longest, ticks * 5);
    }
    assertTrue(longest <= millis, "noticed after " + longest + " ms");
  }

  /// One after the other, the leader included, as where an application is deployed.
  @Test
  void whoIsRestartedGetsItsShareAtOnceOfWhatItHad() {
    int had = 0;
    int hasAgain = 0;
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      ClusterWorld world = world(seed, Policy.defaults(), 4);
      for (String home : List.copyOf(world.nodes.keySet())) {
        Set<Integer> before = owned(world, home);
        world.nodes.get(home).stop(Duration.ofSeconds(random.nextInt(8)));
        while (world.nodes.containsKey(home)) {
          world.tick();
        }
        world.run(Duration.ofMillis(random.nextInt(3_000)));
        world.start(home);
        world.run(Duration.ofSeconds(15));
        assertTrue(owned(world).get(home) >= 2, "seed " + seed + ", " + home + owned(world));
        had += before.size();
        before.retainAll(owned(world, home));
        hasAgain += before.size();
      }
      assertNothingWrong(world);
    }
    assertTrue(hasAgain >= 0.95 * had, hasAgain + " of " + had);
  }

  /// A process that is told to end goes on with its bundles until others are ready for them. What
  /// would take them long stays with it, and waits for it to return.
  @Test
  void aMemberThatStopsHandsOverWhatOthersCanHaveSoon() {
    int large = 0;
    for (long seed = 0; seed < 20; seed++) {
      ClusterWorld world = world(seed, Policy.defaults(), 3);
      Node node = world.nodes.get("m" + seed % 3);
      Set<Integer> kept = owned(world, node.home);
      assertFalse(kept.isEmpty());
      kept.removeIf(bundle -> world.ledger.bytes(bundle) < 1_000_000);
      large += kept.size();
      node.stop(Duration.ofSeconds(8));
      assertFalse(node.hands.ending);
      while (!node.hands.ending) {
        world.tick();
      }
      assertEquals(kept, held(world, node), "seed " + seed);
      while (world.nodes.containsKey(node.home)) {
        world.tick();
      }
      world.run(Duration.ofSeconds(3));
      assertEquals(kept, owned(world, node.home), "seed " + seed);
      assertEquals(0, world.ledger.forced);
      world.start(node.home);
      world.runUntilOwned(Duration.ofSeconds(5), "seed " + seed);
      assertTrue(owned(world, node.home).containsAll(kept), "seed " + seed);
      world.run(Duration.ofSeconds(10));
      assertNothingWrong(world);
    }
    assertTrue(large > 0);
  }

  private static Set<Integer> owned(ClusterWorld world, String home) {
    Set<Integer> owned = new TreeSet<>(world.bundles);
    owned.removeIf(bundle -> !world.ledger.seats().get(bundle).owner().equals(home));
    return owned;
  }

  private static Set<Integer> held(ClusterWorld world, Node node) {
    Set<Integer> held = new TreeSet<>(world.bundles);
    held.removeIf(bundle -> !node.hands.state(bundle).isHeld());
    return held;
  }

  @Test
  void whoStopsDoesNotWaitForOthersWhereNobodyStays() {
    for (long seed = 0; seed < 10; seed++) {
      int members = 1 + (int) (seed % 4);
      ClusterWorld world = world(seed, PLAIN, members);
      long begun = world.log.clock().nanos();
      for (Node node : world.nodes.values()) {
        node.stop(Duration.ofSeconds(8));
        world.run(Duration.ofMillis(20));
      }
      while (!world.nodes.isEmpty()) {
        world.tick();
      }
      long took = Duration.ofNanos(world.log.clock().nanos() - begun).toMillis();
      assertTrue(took < 1500, "it took " + took + " ms");
      assertEquals("", world.ledger.violation);
    }
  }

  @Test
  void aLeaderThatSaysGoodbyeIsFollowedAtOnce() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 3);
      String leader = world.leaders().getFirst();
      world.nodes.get(leader).sayGoodbye(false);
      while (world.nodes.containsKey(leader)) {
        world.tick();
      }
      Duration took = world.runUntilOwned(Duration.ofSeconds(5), "seed " + seed);
      assertTrue(took.toMillis() < 2500, "it took " + took);
      assertNothingWrong(world);
    }
  }

  @Test
  void aProcessThatIsBackInTimeGoesOnWithItsBundles() {
    ClusterWorld world = world(3, PLAIN, 3);
    long version = world.ledger.version();
    world.kill("m1");
    world.run(Duration.ofSeconds(1));
    world.start("m1");
    world.runUntilOwned(Duration.ofSeconds(2), "back");
    world.run(Duration.ofSeconds(10));
    assertEquals(version, world.ledger.version());
    assertNothingWrong(world);
  }

  @Test
  void aMemberThatSleptTooLongHasLostItsBundlesAndObeys() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      Node sleeper = world.nodes.get("m2");
      sleeper.awakeNanos = world.log.clock().nanos() + Duration.ofSeconds(30).toNanos();
      world.run(Duration.ofSeconds(12));
      assertFalse(owned(world).containsKey("m2"));
      assertTrue(world.bundles.stream().anyMatch(each -> sleeper.hands.state(each).isHeld()));
      world.run(Duration.ofSeconds(35)); // it lets go of them, and gets its share again
      assertEquals(3, owned(world).get("m2"), owned(world).toString());
      assertNothingWrong(world);
    }
  }

  @Test
  void anOutageKillsNobody() {
    for (long seed = 0; seed < 20; seed++) {
      ClusterWorld world = world(seed, PLAIN.withStandbys(1), 4);
      world.run(Duration.ofSeconds(5));
      int changes = world.ledger.changesOfOwner;
      world.nodes.keySet().forEach(world.log::cut);
      world.run(Duration.ofSeconds(2 + 2 * seed));
      world.nodes.keySet().forEach(world.log::heal);
      world.run(Duration.ofSeconds(10));
      assertEquals(changes, world.ledger.changesOfOwner, "seed " + seed);
      assertNothingWrong(world);
    }
  }

  /// Each member says a sign a second; all of them at once, so that who hears them is woken by all
  /// together. Nothing is decided.
  @Test
  void whereNothingHappensOnlySignsAreSaidAndAllAtTheSameMoments() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      world.run(Duration.ofSeconds(30));
      int decided = world.log.records("app-placement").size();
      int said = world.log.records("app-members").size();
      world.run(Duration.ofSeconds(60));
      assertEquals(decided, world.log.records("app-placement").size(), "seed " + seed);
      List<ModelRecord> signs = world.log.records("app-members").subList(said, said + 200);
      SortedSet<Long> moments = new TreeSet<>();
      signs.forEach(sign -> moments.add(Math.floorDiv(sign.timestamp(), 1_000L)));
      assertEquals(240, world.log.records("app-members").size() - said, 8, "seed " + seed);
      assertEquals(51, moments.size(), 2, "seed " + seed);
      long late =
          signs.stream()
              .mapToLong(ModelRecord::timestamp)
              .map(at -> at % 1_000)
              .max()
              .orElseThrow();
      assertTrue(late <= 100, "seed " + seed + ": " + late + " ms");
      assertNothingWrong(world);
    }
  }

  /// Only the signs are not to be read; decisions could be written and read.
  @Test
  void signsThatCannotBeReadForAWhileKillNobody() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      int changes = world.ledger.changesOfOwner;
      world.signsAreSilent = true;
      world.run(Duration.ofSeconds(2 + 2 * seed));
      world.signsAreSilent = false;
      world.run(Duration.ofSeconds(10));
      assertEquals(changes, world.ledger.changesOfOwner, "seed " + seed);
      assertNothingWrong(world);
    }
  }

  /// Only the leader is cut off, and what it reads and writes waits. It must not take the others
  /// for dead, nor decide when it is back.
  @Test
  void aLeaderThatIsCutOffIsReplacedAndKillsNobody() {
    for (long seed = 0; seed < 20; seed++) {
      ClusterWorld world = world(seed, PLAIN, 4);
      String leader = world.leaders().getFirst();
      world.log.cut(leader, seed % 3 != 0, seed % 3 != 1);
      world.run(Duration.ofSeconds(10));
      world.log.heal(leader);
      world.run(Duration.ofSeconds(10));
      for (String home : world.nodes.keySet()) {
        if (!home.equals(leader)) {
          assertTrue(owned(world).getOrDefault(home, 0) >= 3, home + " of " + owned(world));
        }
      }
      assertNothingWrong(world);
    }
  }

  @Test
  void aNewMemberGetsItsShareAtOnce() {
    ClusterWorld world = world(1, PLAIN, 2);
    world.start("m2");
    world.run(Duration.ofSeconds(15));
    assertEquals(Map.of("m0", 4, "m1", 4, "m2", 4), owned(world));
    assertEquals(0, world.ledger.forced);
    long version = world.ledger.version();
    world.run(Duration.ofMinutes(2));
    assertEquals(version, world.ledger.version());
    assertNothingWrong(world);
  }

  /// Nobody is waited for who cannot be there.
  @Test
  void whoIsAloneBeginsAtOnce() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = new ClusterWorld(seed, PLAIN, 12, ModelSettings.defaults());
      world.start("m0");
      assertAtOnce(world, "first, seed " + seed);
      world.kill("m0");
      world.start("m0");
      assertAtOnce(world, "killed, seed " + seed);
      world.nodes.get("m0").sayGoodbye(false);
      while (world.nodes.containsKey("m0")) {
        world.tick();
      }
      world.start("m1");
      assertAtOnce(world, "another, seed " + seed);
    }
  }

  private static void assertAtOnce(ClusterWorld world, String what) {
    Duration took = world.runUntilOwned(Duration.ofSeconds(5), what);
    assertTrue(took.toMillis() < 2500, what + " took " + took);
  }

  @Test
  void allHearThatNothingIsLeftToBeDone() {
    ClusterWorld world = world(1, PLAIN, 3);
    world.nodes.values().forEach(node -> node.hands.ended = !node.home.equals("m1"));
    world.run(Duration.ofSeconds(5));
    world.nodes.values().forEach(node -> assertFalse(node.member.isCompleted(), node.home));
    world.nodes.get("m1").hands.ended = true;
    world.run(Duration.ofSeconds(2));
    world.nodes.values().forEach(node -> assertTrue(node.member.isCompleted(), node.home));
  }

  /// What was completed once may have something to do again: whoever starts later looks itself.
  @Test
  void whoStartsLaterDoesNotBelieveThatNothingIsLeftToBeDone() {
    for (long seed = 0; seed < 10; seed++) {
      ClusterWorld world = world(seed, PLAIN, 2);
      world.nodes.values().forEach(node -> node.hands.ended = true);
      world.run(Duration.ofSeconds(2));
      world.kill("m0");
      world.kill("m1");
      world.start("m1");
      world.run(Duration.ofSeconds(20));
      assertFalse(world.nodes.get("m1").member.isCompleted());
      world.nodes.get("m1").hands.ended = true;
      world.run(Duration.ofSeconds(2));
      assertTrue(world.nodes.get("m1").member.isCompleted());
    }
  }

  /// Whoever had the bundle before may still have a claim to it, which the next owner must bar.
  @Test
  void whatWasNotOwnedYetIsNotReleased() {
    for (long seed = 0; seed < 20; seed++) {
      ClusterWorld world = new ClusterWorld(seed, PLAIN, 12, ModelSettings.defaults());
      Node node = world.start("m0");
      while (world.bundles.stream().noneMatch(each -> node.hands.state(each) == State.TAKING)) {
        world.tick();
      }
      Set<Integer> taking = new TreeSet<>(world.bundles);
      taking.removeIf(each -> node.hands.state(each) != State.TAKING);
      node.sayGoodbye(false);
      while (world.nodes.containsKey("m0")) {
        world.tick();
      }
      Sign last = world.census().get("m0").sign();
      for (int bundle : taking) {
        Report report = last.report(bundle);
        assertTrue(report == null || report.state() != State.RELEASED, "seed " + seed);
      }
    }
  }

  /// As if a record of a former process was long on its way.
  @Test
  void aLateSignOfAFormerLifeSilencesNobody() {
    ClusterWorld world = world(1, PLAIN, 2);
    String other = world.leaders().getFirst().equals("m1") ? "m0" : "m1";
    Sign sign = world.census().get(other).sign();
    Self self = sign.self();
    Self former =
        new Self(
            self.home(),
            -7,
            self.volume(),
            self.host(),
            self.rack(),
            self.capacity(),
            self.leastFormat(),
            self.mostFormat(),
            self.kind(),
            self.bundles(),
            self.running());
    try (SignWriter late =
        new SignWriter("app", "late", world.log.client("late"), world.log.clock())) {
      late.say(new Sign(former, 3, Sign.Phase.HERE, 0, 0, List.of()));
      for (int tick = 0; late.acknowledged() < 3; tick++) {
        assertTrue(tick < 1000, "The late sign does not arrive.");
        world.tick();
        late.step();
      }
      world.run(Duration.ofSeconds(10));
    }
    assertEquals(Map.of("m0", 6, "m1", 6), owned(world));
    assertNothingWrong(world);
  }

  @Test
  void aMemberWithOtherBundlesWaitsUntilTheOthersAreGone() {
    ClusterWorld world = world(1, PLAIN, 2);
    world.start("new", "others");
    world.run(Duration.ofSeconds(5));
    world.kill("m0");
    world.run(Duration.ofSeconds(10));
    assertEquals(Map.of("m1", 12), owned(world));
    world.kill("m1");
    world.run(Duration.ofSeconds(15));
    assertEquals(Map.of("new", 12), owned(world));
    assertNothingWrong(world);
  }

  @Test
  void whatCannotBeSplitIsAnsweredAndChangesNothing() {
    ClusterWorld world = world(1, PLAIN, 3);
    world.split(0);
    world.split(99);
    world.run(Duration.ofSeconds(3));
    assertEquals("Its stores say no keys.", world.ledger.refusal(0));
    assertEquals("There is no such task.", world.ledger.refusal(99));
    world.ledger.isFull = true;
    world.split(1);
    world.run(Duration.ofSeconds(3));
    assertEquals("There are too many partitions.", world.ledger.refusal(1));
    assertEquals(Map.of(), world.ledger.parts());
    assertNothingWrong(world);
  }

  @Test
  void nothingIsSplitWhileSomebodyDoesNotKnowOfThat() {
    ClusterWorld world = world(1, PLAIN, 3);
    world.start("old", "tasks", Part.FORMAT - 1);
    world.run(Duration.ofSeconds(20));
    assertEquals(3, owned(world).get("old"));
    world.split(3);
    world.run(Duration.ofSeconds(3));
    assertTrue(world.ledger.refusal(3).startsWith("Process old runs an earlier version"));
    assertEquals(Map.of(), world.ledger.parts());
    world.kill("old");
    world.run(Duration.ofSeconds(10));
    world.split(3);
    world.runUntilOwned(Duration.ofSeconds(10), "the split");
    world.run(Duration.ofSeconds(5));
    assertEquals(Map.of(12, new Part(3, true)), world.ledger.parts());
    world.start("old", "tasks", Part.FORMAT - 1);
    world.run(Duration.ofSeconds(20));
    assertFalse(owned(world).containsKey("old"));
    assertNothingWrong(world);
  }
}
