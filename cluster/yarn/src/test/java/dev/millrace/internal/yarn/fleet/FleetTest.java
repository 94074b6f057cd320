package dev.millrace.internal.yarn.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final FleetPolicy POLICY =
      new FleetPolicy(
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(8),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          3,
          Duration.ofSeconds(100),
          Duration.ofSeconds(50),
          6,
          Duration.ofSeconds(10));
  private static final List<String> HOSTS = List.of("a", "b", "c", "d");

  @Test
  void aProcessIsAskedForWhereItsStateIsAndLaterAnywhere() {
    Fleet fleet = new Fleet(POLICY, 1, List.of("b"), HOSTS);
    assertEquals(List.of(new Order.Ask(1, "b", true)), fleet.step(0));
    assertEquals(List.of(), fleet.step(4_999));
    assertEquals(List.of(new Order.Withdraw(1), new Order.Ask(2, null, false)), fleet.step(5_000));
    assertEquals(-1, fleet.granted(1, "c1", "b", 5_001));
    assertEquals(0, fleet.granted(2, "c2", "d", 5_002));
    assertEquals(0, fleet.ended("c2", 137, 6_000));
    assertEquals(List.of(), fleet.step(6_999));
    assertEquals(List.of(new Order.Ask(3, "d", true)), fleet.step(7_000));
  }

  @Test
  void newProcessesAreSpreadOverHosts() {
    Fleet fleet = new Fleet(POLICY, 5, List.of(), HOSTS);
    assertEquals(
        List.of(
            new Order.Ask(1, "a", false),
            new Order.Ask(2, "b", false),
            new Order.Ask(3, "c", false),
            new Order.Ask(4, "d", false),
            new Order.Ask(5, "a", false)),
        fleet.step(0));
  }

  @Test
  void aHostThatWasTakenOutIsNotWaitedFor() {
    Fleet fleet = new Fleet(POLICY, 1, List.of("b"), HOSTS);
    fleet.step(0);
    fleet.hostIsGone("b");
    assertEquals(List.of(new Order.Withdraw(1), new Order.Ask(2, null, false)), fleet.step(100));
  }

  @Test
  void theNextMasterGoesOnWithWhatRuns() {
    Fleet former = new Fleet(POLICY, 4, List.of(), HOSTS);
    former.step(0);
    former.granted(1, "c1", "a", 10);
    former.granted(2, "c2", "b", 10);
    former.granted(3, "c3", "c", 10);
    former.ended("c3", 0, 20);
    Fleet next = new Fleet(POLICY, 4, List.of(), HOSTS);
    next.restore(former.lines(), 1_000);
    assertTrue(next.adopted("c1", "a", 1_000));
    assertFalse(next.adopted("c9", "a", 1_000));
    // The one that was asked for is asked for again; of c2 nothing is known yet.
    assertEquals(List.of(new Order.Ask(1, "c", false)), next.step(1_000));
    assertEquals(List.of("c1"), next.running());
    assertEquals(List.of(new Order.Ask(2, "b", true)), asks(next, 11_000, 11_001));
    assertEquals(0, next.ended("c1", 0, 12_000));
    assertNull(next.status());
  }

  private static List<Order> asks(Fleet fleet, long... times) {
    List<Order> all = new ArrayList<>();
    for (long time : times) {
      all.addAll(fleet.step(time));
    }
    return all;
  }

  @Test
  void whatEndedWhileThereWasNoMasterIsStartedAgain() {
    Fleet former = new Fleet(POLICY, 1, List.of(), HOSTS);
    former.step(0);
    former.granted(1, "c1", "a", 10);
    Fleet next = new Fleet(POLICY, 1, List.of(), HOSTS);
    next.restore(former.lines(), 1_000);
    assertEquals(0, next.ended("c1", 137, 1_100));
    assertEquals(List.of(new Order.Ask(1, "a", true)), next.step(2_100));
  }

  @Test
  void nothingIsStartedOnceItIsToStop() {
    Fleet fleet = new Fleet(POLICY, 3, List.of(), HOSTS);
    fleet.step(0);
    fleet.granted(1, "c1", "a", 10);
    fleet.granted(2, "c2", "a", 10);
    fleet.stop();
    assertEquals(List.of(new Order.Withdraw(3)), fleet.step(20));
    fleet.ended("c1", 143, 30);
    assertNull(fleet.status());
    fleet.ended("c2", 0, 30);
    assertEquals(0, fleet.status());
  }

  @Test
  void aHostIsAvoidedWhereProcessesFailAtOnce() {
    Fleet fleet = new Fleet(POLICY, 1, List.of("a"), HOSTS);
    long now = 0;
    List<Order> orders = fleet.step(now);
    for (int i = 0; i < 3; i++) {
      now += 10_000;
      assertEquals(0, fleet.granted(lastAsk(orders), "c" + i, "a", now));
      fleet.ended("c" + i, 127, now + 1);
      orders = fleet.step(now + 9_000);
      now += 9_000;
    }
    assertEquals(List.of(new Order.Avoid("a"), new Order.Ask(4, null, false)), orders);
    assertEquals(
        List.of(new Order.Readmit("a")), fleet.step(now + POLICY.affinityWait().toMillis()));
  }

  private static long lastAsk(List<Order> orders) {
    return ((Order.Ask) orders.getLast()).id();
  }

  /// A course of grants and ends is drawn; after each step, what is asked for is compared with what
  /// the whole history says.
  @Test
  void whatIsAskedForFollowsFromWhatHasHappened() {
    int[] seen = new int[4];
    for (long seed = 1; seed <= 300; seed++) {
      run(seed, seen);
    }
    // Else this shows less than it says.
    assertTrue(seen[0] > 1_000, "strict asks: " + seen[0]);
    assertTrue(seen[1] > 1_000, "asks anywhere: " + seen[1]);
    assertTrue(seen[2] > 50, "hosts avoided: " + seen[2]);
    assertTrue(seen[3] > 50, "processes given up: " + seen[3]);
  }

  private static void run(long seed, int[] seen) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(5);
    List<String> homes = new ArrayList<>();
    while (homes.size() < random.nextInt(count + 1)) {
      homes.add(HOSTS.get(random.nextInt(HOSTS.size())));
    }
    Fleet fleet = new Fleet(POLICY, count, homes, HOSTS);
    FleetOracle oracle = new FleetOracle(POLICY, count, homes, HOSTS);
    Map<Long, Order.Ask> asked = new TreeMap<>();
    Map<String, Integer> running = new TreeMap<>();
    Set<String> avoided = new TreeSet<>();
    String bad = HOSTS.get(random.nextInt(HOSTS.size()));
    long now = 0;
    int containers = 0;
    for (int step = 0; step < 150; step++) {
      now += 1 + random.nextInt(3_000);
      for (Order.Ask ask : List.copyOf(asked.values())) {
        if (random.nextInt(3) == 0) {
          String host = ask.strict() ? ask.host() : HOSTS.get(random.nextInt(HOSTS.size()));
          String container = "c" + containers++;
          boolean may = !avoided.contains(host);
          int process = fleet.granted(ask.id(), container, host, now);
          assertEquals(may, process >= 0, "seed " + seed + ", a grant on " + host);
          asked.remove(ask.id());
          if (may) {
            running.put(container, process);
            oracle.granted(process, host, now);
          } else {
            oracle.refused(whoseAsk(fleet, oracle, count, now, avoided), host, now);
          }
        }
      }
      now += 1;
      for (String container : List.copyOf(running.keySet())) {
        if (random.nextInt(8) == 0) {
          int process = running.remove(container);
          int status = status(random, fleet, container, bad);
          assertEquals(process, fleet.ended(container, status, now), "seed " + seed);
          oracle.ended(process, status, now);
        }
      }
      now += 1;
      List<Order> orders = fleet.step(now);
      if (orders.stream().filter(Order.Readmit.class::isInstance).count() > 0
          && isForgiveness(orders, oracle, now)) {
        oracle.forgiven(now);
      }
      oracle.step(now);
      apply(orders, asked, avoided, seen);
      assertEquals(avoided, oracle.avoided(now), "seed " + seed + ", step " + step);
      compare(seed, step, fleet, oracle, count, now, asked);
    }
    seen[3] += Math.toIntExact(fleet.lines().stream().filter(l -> l.contains("OVER")).count());
  }

  /// Hosts come back before their time only if all do.
  private static boolean isForgiveness(List<Order> orders, FleetOracle oracle, long now) {
    oracle.step(now);
    return orders.stream()
        .filter(Order.Readmit.class::isInstance)
        .anyMatch(order -> oracle.avoided(now).contains(((Order.Readmit) order).host()));
  }

  /// A grant on a host that is avoided is given back: the process of it is the one that rests now.
  private static int whoseAsk(
      Fleet fleet, FleetOracle oracle, int count, long now, Set<String> avoided) {
    for (int process = 0; process < count; process++) {
      boolean rests = fleet.lines().get(process).split(" ")[1].equals("RESTING");
      if (rests && oracle.expected(process, now, avoided).startsWith("asked")) {
        return process;
      }
    }
    throw new AssertionError("No process rests.");
  }

  private static int status(Random random, Fleet fleet, String container, String bad) {
    boolean onBad = fleet.lines().stream().anyMatch(l -> l.contains(container + " " + bad + " "));
    if (onBad && random.nextInt(2) == 0) {
      return 127;
    }
    int[] all = {0, 1, 1, 1, 2, 5, 6, 137, 137, 143, -100, -102, -1000, -104};
    return random.nextInt(6) == 0 ? all[random.nextInt(all.length)] : 137;
  }

  private static void apply(
      List<Order> orders, Map<Long, Order.Ask> asked, Set<String> avoided, int[] seen) {
    for (Order order : orders) {
      switch (order) {
        case Order.Ask ask -> {
          seen[ask.strict() ? 0 : 1]++;
          assertNull(asked.put(ask.id(), ask), "an id is used twice");
        }
        case Order.Withdraw withdraw -> assertTrue(asked.remove(withdraw.id()) != null);
        case Order.Avoid avoid -> {
          seen[2]++;
          assertTrue(avoided.add(avoid.host()));
        }
        case Order.Readmit readmit -> assertTrue(avoided.remove(readmit.host()));
      }
    }
  }

  private static void compare(
      long seed,
      int step,
      Fleet fleet,
      FleetOracle oracle,
      int count,
      long now,
      Map<Long, Order.Ask> asked) {
    List<String> expected = new ArrayList<>();
    List<String> statuses = new ArrayList<>();
    Set<String> avoided = oracle.avoided(now);
    for (int process = 0; process < count; process++) {
      String each = oracle.expected(process, now, avoided);
      statuses.add(each);
      if (each.startsWith("asked")) {
        expected.add(each);
      }
    }
    List<String> actual = new ArrayList<>();
    asked
        .values()
        .forEach(ask -> actual.add(ask.strict() ? "asked " + ask.host() : "asked anywhere"));
    expected.sort(null);
    actual.sort(null);
    String where = "seed %d, step %d: %s%n%s".formatted(seed, step, statuses, fleet.lines());
    assertEquals(expected, actual, where);
    long over = statuses.stream().filter(each -> each.startsWith("over")).count();
    assertEquals(
        over, fleet.lines().stream().filter(line -> line.contains(" OVER ")).count(), where);
    if (over == count) {
      int first =
          statuses.stream()
              .map(each -> Integer.parseInt(each.substring("over ".length())))
              .filter(status -> status != 0)
              .findFirst()
              .orElse(0);
      assertEquals(first, fleet.status(), where);
    } else {
      assertNull(fleet.status(), where);
    }
  }
}
