package dev.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelSettings;
import dev.millrace.testkit.sim.ModelPresence;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Members come, go, die, sleep and are cut off, and the log has its faults.
class ClusterChaosTest {
  private static final int SEEDS = 300;
  private static final int FEWEST = 1;
  private static final int MOST = 6;
  private static final Duration QUIET = Duration.ofMillis(25);

  @Test
  void whateverHappensEveryBundleIsOwnedOnceAndThenNothingMoves() {
    int owners = 0;
    int asked = 0;
    int heirs = 0;
    int parts = 0;
    for (long number = 0; number < SEEDS; number++) {
      Storm storm = new Storm(number);
      owners += storm.run();
      asked += storm.asked;
      heirs += storm.heirs;
      parts += storm.world.ledger.parts().size();
    }
    assertTrue(parts > SEEDS / 3, "only " + parts + " bundles that were split off");
    assertTrue(heirs > SEEDS / 3, "only " + heirs + " dead heirs");
    assertTrue(asked > SEEDS / 3, "only " + asked + " moves that were asked for");
    assertTrue(owners > SEEDS * 5, "only " + owners + " changes of owner");
  }

  /// Equal seeds give equal runs: nothing depends on an order that differs.
  @Test
  void equalSeedsGiveEqualRuns() {
    for (long number = 0; number < 5; number++) {
      Storm one = new Storm(number);
      one.run();
      Storm other = new Storm(number);
      other.run();
      assertEquals(one.world.log.traceHash(), other.world.log.traceHash(), "seed " + number);
    }
  }

  private static final class Storm {
    final ClusterWorld world;
    private final long number;
    private final Seed seed;
    private final SortedMap<Long, String> restarts = new TreeMap<>();
    private int named;

    /// How many bundles somebody wants where they are.
    int asked;

    /// How many heirs have died.
    int heirs;

    Storm(long number) {
      this.number = number;
      seed = new Seed(number).fork("storm");
      Policy policy =
          Policy.defaults()
              .withStandbys(seed.below(3))
              .withAffinityWait(Duration.ofSeconds(seed.below(2) * 3L))
              .withBalanceAfter(Duration.ofSeconds(seed.coin() ? 2 : 600));
      ModelSettings settings = ModelSettings.defaults();
      if (seed.coin()) {
        settings = settings.withCleaner(Duration.ofMillis(500), seed.below(4));
      }
      world = new ClusterWorld(number, policy, seed.between(1, 12), settings);
      world.presence = ModelPresence.drawn(world.log.clock(), seed.fork("presence"));
    }

    int run() {
      for (int i = seed.between(FEWEST, MOST); i > 0; i--) {
        join();
      }
      if (seed.coin()) {
        world.run(Duration.ofSeconds(5));
      }
      if (seed.coin()) {
        world.log.faults(Faults.drawn(seed));
      }
      int events = seed.between(3, 15);
      for (int i = 0; i < events; i++) {
        happen();
        world.run(seed.between(Duration.ZERO, Duration.ofSeconds(4)));
        restart(false);
        assertNothingWrong();
      }
      calm();
      Duration most = Duration.ofSeconds(10).plus(world.presence.patience());
      world.runUntilOwned(most, "seed " + number);
      stand();
      return world.ledger.changesOfOwner;
    }

    private void join() {
      world.start("m" + named++);
    }

    private Node pick() {
      return seed.pick(List.copyOf(world.nodes.values()));
    }

    private void happen() {
      if (world.nodes.size() <= FEWEST) {
        join();
        return;
      }
      if (seed.below(3) == 0) {
        ask();
      }
      if (seed.below(6) == 0) {
        world.split(seed.below(world.bundles.size()));
      }
      Node node = pick();
      switch (seed.below(10)) {
        case 0, 1 -> {
          if (world.nodes.size() < MOST) {
            join();
          }
        }
        case 2 -> world.kill(node.home);
        case 3 -> {
          world.kill(node.home);
          long back = seed.between(Duration.ZERO, Duration.ofSeconds(6)).toNanos();
          restarts.put(world.log.clock().nanos() + back, node.home);
        }
        case 4 -> node.leave(seed.coin());
        case 5 -> {
          if (seed.coin()) {
            node.sayGoodbye(seed.coin());
          } else {
            node.stop(seed.between(Duration.ZERO, Duration.ofSeconds(6)));
          }
        }
        case 6 ->
            node.awakeNanos =
                world.log.clock().nanos()
                    + seed.between(Duration.ofSeconds(1), Duration.ofSeconds(10)).toNanos();
        case 7 -> world.log.cut(node.home, seed.coin(), seed.coin());
        case 8 -> {
          if (seed.coin()) {
            world.nodes.keySet().forEach(world.log::cut);
            world.run(seed.between(Duration.ofSeconds(1), Duration.ofSeconds(8)));
          }
          world.nodes.keySet().forEach(world.log::heal);
        }
        case 9 -> killAnHeir();
        default -> throw new AssertionError();
      }
    }

    /// An heir dies when it was just told to take a bundle, and perhaps its owner too.
    private void killAnHeir() {
      for (int i = 0; i < 100; i++) {
        ask();
        world.run(Duration.ofMillis(20));
        for (Seat seat : world.ledger.seats().values()) {
          if (seat.giving() && world.nodes.containsKey(seat.heir())) {
            world.run(seed.between(Duration.ZERO, Duration.ofMillis(300)));
            heirs++;
            world.kill(seat.heir());
            if (seed.coin()) {
              world.kill(seat.owner());
            }
            return;
          }
        }
      }
    }

    /// Somebody wants a bundle elsewhere, or no more; perhaps at a process that is about to die.
    private void ask() {
      int bundle = seed.below(world.bundles.size());
      world.ask(bundle, seed.below(4) == 0 ? null : pick());
    }

    private void restart(boolean all) {
      long now = all ? Long.MAX_VALUE : world.log.clock().nanos();
      SortedMap<Long, String> due = new TreeMap<>(restarts.headMap(now));
      restarts.keySet().removeAll(due.keySet());
      for (String home : due.values()) {
        if (!world.nodes.containsKey(home)) {
          world.start(home);
        }
      }
    }

    private void calm() {
      restart(true);
      if (world.nodes.values().stream().noneMatch(Node::stays)) {
        join();
      }
      world.log.calm();
      world.presence.beHonest();
      long now = world.log.clock().nanos();
      world.nodes.values().forEach(node -> node.awakeNanos = Math.min(node.awakeNanos, now));
    }

    /// Hand-overs that are under way end, and then nothing is decided any more.
    private void stand() {
      long version = world.ledger.version();
      Duration quiet = Duration.ZERO;
      for (int second = 0; quiet.toSeconds() < 20; second++) {
        assertTrue(second < 120, "seed " + number + ": it never ends: " + world.ledger.seats());
        world.run(Duration.ofSeconds(1), QUIET);
        quiet = version == world.ledger.version() ? quiet.plusSeconds(1) : Duration.ZERO;
        version = world.ledger.version();
      }
      world.run(Duration.ofSeconds(60), QUIET);
      assertEquals(version, world.ledger.version(), "seed " + number);
      assertEquals("", world.notAsDecided(), "seed " + number);
      assertEquals("", world.notAsAsked(), "seed " + number);
      asked = world.askedAtTheEnd();
      assertEquals(1, world.leaders().size(), "seed " + number);
      assertEquals(List.of(), world.ledger.undecidedSplits(), "seed " + number);
      assertEquals("", world.termsThatDoNotRise(), "seed " + number);
      assertNothingWrong();
    }

    private void assertNothingWrong() {
      assertEquals("", world.ledger.violation, "seed " + number);
    }
  }
}
