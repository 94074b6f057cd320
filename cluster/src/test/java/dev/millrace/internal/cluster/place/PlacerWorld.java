package dev.millrace.internal.cluster.place;

import dev.millrace.internal.cluster.place.Facts.Bundle;
import dev.millrace.internal.cluster.place.Facts.Candidate;
import dev.millrace.internal.cluster.place.Facts.Hold;
import dev.millrace.internal.cluster.place.Facts.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// An application whose members come and go at random, as facts for the placer.
final class PlacerWorld {
  final Random random;
  final Policy policy;
  final TreeMap<String, Candidate> members = new TreeMap<>();
  final TreeMap<Integer, Seat> seats = new TreeMap<>();
  private final Map<Integer, Double> weights = new TreeMap<>();
  private final Map<Integer, Long> bytes = new TreeMap<>();
  private final Map<Integer, Long> orphanSince = new TreeMap<>();
  private final boolean alwaysAwaited;
  private final int hosts;
  private final int racks;
  private int named;
  long version;
  long nowNanos;
  long unbalancedSince = -1;

  /// Whether members are heard to have state that they have not owned.
  boolean rumours = true;

  static final Bundles ALL = new Bundles(List.of(new Bundles.Range(0, 1_000_000)));

  /// What members have that run the version before.
  static final Bundles FORMER =
      new Bundles(List.of(new Bundles.Range(0, 30), new Bundles.Range(45, 60)));

  final Map<Integer, Wish> wishes = new TreeMap<>();

  /// Whether somebody asks for bundles to be elsewhere.
  boolean wishful;

  /// Whether some members run the version before.
  boolean versions;

  /// Whether all members may get bundles.
  boolean sure;

  PlacerWorld(long seed, Policy policy, int bundles) {
    random = new Random(seed);
    this.policy = policy;
    hosts = 1 + random.nextInt(8);
    racks = 1 + random.nextInt(4);
    alwaysAwaited = random.nextBoolean();
    boolean even = random.nextBoolean();
    for (int bundle = 0; bundle < bundles; bundle++) {
      seats.put(bundle * 3, Seat.EMPTY);
      weights.put(bundle * 3, even ? 1.0 : 0.1 + random.nextInt(40) / 10.0);
      bytes.put(bundle * 3, random.nextInt(3) == 0 ? 100_000_000_000L : 1000L);
    }
  }

  static Policy drawPolicy(Random random) {
    return Policy.defaults()
        .withStandbys(random.nextInt(3))
        .withAffinityWait(Duration.ofSeconds(random.nextInt(3) * 10L))
        .withBalanceAfter(Duration.ofSeconds(random.nextInt(2) * 60L));
  }

  void join() {
    String home = "h%03d".formatted(named++);
    int host = random.nextInt(hosts);
    members.put(
        home,
        new Candidate(
            home,
            random.nextInt(5) == 0 ? "disk" + host : "disk of " + home,
            "host" + host,
            "rack" + host % racks,
            random.nextInt(4) == 0 ? 2 : 1,
            sure || random.nextInt(6) > 0 ? Standing.STAYS : Standing.KEEPS,
            versions && random.nextBoolean() ? FORMER : ALL,
            !sure && random.nextInt(6) == 0));
  }

  void joinOnOwnHost() {
    String home = "h%03d".formatted(named++);
    members.put(
        home,
        new Candidate(
            home, "disk of " + home, "host of " + home, "", 1, Standing.STAYS, ALL, false));
  }

  String pick() {
    return List.copyOf(members.keySet()).get(random.nextInt(members.size()));
  }

  void die() {
    if (!members.isEmpty()) {
      members.remove(pick());
    }
  }

  void leave() {
    if (!members.isEmpty()) {
      Candidate member = members.get(pick());
      members.put(
          member.home(),
          new Candidate(
              member.home(),
              member.volume(),
              member.host(),
              member.rack(),
              member.capacity(),
              random.nextBoolean() ? Standing.LEAVES : Standing.STOPS,
              member.bundles(),
              false));
    }
  }

  /// Somebody wants a bundle elsewhere, or no more.
  void wish() {
    if (members.isEmpty() || seats.isEmpty()) {
      return;
    }
    int bundle = List.copyOf(seats.keySet()).get(random.nextInt(seats.size()));
    if (!sure && random.nextInt(3) == 0) {
      wishes.remove(bundle);
    } else if (!wishes.containsKey(bundle)) {
      wishes.put(bundle, new Wish(pick(), seats.get(bundle).owner()));
    }
  }

  /// Draws what was heard.
  Facts facts() {
    List<Bundle> bundles = new ArrayList<>();
    seats.forEach((number, seat) -> {
      boolean orphan = !seat.owner().isEmpty() && !members.containsKey(seat.owner());
      if (orphan) {
        orphanSince.putIfAbsent(number, nowNanos);
      } else {
        orphanSince.remove(number);
      }
      List<String> warm = new ArrayList<>(seat.followers());
      warm.removeIf(home -> !members.containsKey(home) || random.nextInt(3) == 0);
      List<String> stored = new ArrayList<>();
      if (rumours && !members.isEmpty() && random.nextInt(5) == 0) {
        String home = pick();
        if (!home.equals(seat.owner()) && !seat.followers().contains(home)) {
          stored.add(home);
        }
      }
      Hold hold =
          orphan
              ? (random.nextInt(4) == 0 ? Hold.RELEASED : Hold.HELD)
              : seat.giving() && random.nextBoolean()
                  ? (random.nextInt(4) == 0 ? Hold.LOST : Hold.RELEASED)
                  : Hold.HELD;
      bundles.add(
          new Bundle(
              number,
              weights.get(number),
              bytes.get(number),
              seat,
              hold,
              warm,
              stored,
              orphan ? nowNanos - orphanSince.get(number) : 0,
              alwaysAwaited || random.nextBoolean(),
              random.nextInt(4) == 0 && !members.isEmpty() ? pick() : "",
              members.containsKey(wishes.getOrDefault(number, Wish.NONE).home())
                  ? wishes.get(number)
                  : Wish.NONE));
    });
    return new Facts(
        ++version,
        List.copyOf(members.values()),
        bundles,
        unbalancedSince < 0 ? 0 : nowNanos - unbalancedSince);
  }

  void apply(Placement placement) {
    seats.putAll(placement.seats());
    if (!placement.unbalanced()) {
      unbalancedSince = -1;
    } else if (unbalancedSince < 0) {
      unbalancedSince = nowNanos;
    }
  }

  /// The same facts, had the placement been decided and nothing been heard since.
  static Facts after(Facts facts, Placement placement) {
    List<Bundle> bundles = new ArrayList<>();
    for (Bundle bundle : facts.bundles()) {
      Seat seat = placement.seats().get(bundle.number());
      boolean same = seat.owner().equals(bundle.seat().owner());
      bundles.add(
          new Bundle(
              bundle.number(),
              bundle.weight(),
              bundle.bytes(),
              seat,
              same && seat.heir().equals(bundle.seat().heir()) ? bundle.hold() : Hold.HELD,
              bundle.warm().stream().filter(seat.followers()::contains).toList(),
              bundle.stored(),
              same ? bundle.orphanNanos() : 0,
              bundle.awaited(),
              bundle.returned(),
              bundle.wish()));
    }
    return new Facts(facts.version() + 1, facts.members(), bundles, facts.unbalancedNanos());
  }
}
