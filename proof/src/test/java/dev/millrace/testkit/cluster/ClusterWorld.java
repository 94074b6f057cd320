package dev.millrace.testkit.cluster;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.MoveRequest;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import dev.millrace.testkit.sim.ModelPresence;
import dev.millrace.testkit.time.Scheduler;
import dev.millrace.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An application of several processes on the model of the log, in virtual time.
final class ClusterWorld {
  private static final Duration TICK = Duration.ofMillis(5);

  final ModelLog log;
  final Ledger ledger;
  final Seed seed;
  final SortedMap<String, Node> nodes = new TreeMap<>();

  /// Those of the program, and those that were split off.
  final SortedSet<Integer> bundles;

  private final Bundles planned;
  private final Coordinator.Scope scope;
  private final int hosts;
  private final Duration slowest;
  private final boolean stutters;
  private final SortedMap<Integer, MoveRequest> asked = new TreeMap<>();

  /// Bundles of which somebody has asked something that may arrive at any time, or never.
  private final Set<Integer> unsure = new TreeSet<>();

  private long lives;
  private long people;

  /// What processes that are started know of one another besides what they say.
  ModelPresence presence;

  /// Whether readers get no signs of life.
  boolean signsAreSilent;

  ClusterWorld(long number, Policy policy, int bundles, ModelSettings settings) {
    seed = new Seed(number).fork("cluster");
    log = new ModelLog(new Scheduler(new VirtualClock()), new Trace(), new Seed(number), settings);
    log.createTopic(Decisions.topic("app"));
    log.createTopic(Signs.topic("app"));
    hosts = seed.between(2, 6);
    slowest = Duration.ofMillis(seed.between(10, 60));
    stutters = seed.coin();
    boolean big = seed.coin();
    presence = ModelPresence.none(log.clock());
    ledger = new Ledger(log, bundle -> big && bundle % 3 == 0 ? 1_000_000_000_000L : 1000);
    this.bundles = new TreeSet<>(IntStream.range(0, bundles).boxed().toList());
    planned = Bundles.of(this.bundles);
    scope = new Coordinator.Scope("app", policy, Duration.ofSeconds(2));
  }

  /// A log whose readers return nothing now and then although there is more, as real ones do.
  Log interrupted(Log client, Seed readers) {
    return InterruptedLog.of(
        client,
        () -> stutters && readers.coin(),
        split -> signsAreSilent && split.stream().equals(Signs.topic("app").name()));
  }

  Node start(String home) {
    return start(home, "tasks");
  }

  Node start(String home, String kind) {
    return start(home, kind, Part.FORMAT);
  }

  /// @param format the last level of formats that it reads
  Node start(String home, String kind, int format) {
    int host = Math.floorMod(home.hashCode(), hosts);
    long life = ++lives;
    Self self =
        new Self(
            home,
            life,
            "disk of " + home,
            "host" + host,
            "rack" + host % 2,
            1,
            1,
            format,
            kind,
            planned,
            Self.Running.UNKNOWN);
    Node node = new Node(self, scope, this, seed.fork(home + " in life " + life), slowest);
    nodes.put(home, node);
    return node;
  }

  /// Ends a process in the middle of what it does.
  void kill(String home) {
    nodes.remove(home);
    presence.ended(home);
    log.crash(home);
  }

  void run(Duration time) {
    run(time, TICK);
  }

  void run(Duration time, Duration tick) {
    long end = log.clock().nanos() + time.toNanos();
    while (log.clock().nanos() < end) {
      tick(tick);
    }
  }

  void tick() {
    tick(TICK);
  }

  private void tick(Duration tick) {
    for (Node node : List.copyOf(nodes.values())) {
      if (node.step()) {
        nodes.remove(node.home);
        node.close();
        log.crash(node.home);
      }
    }
    log.advance(tick);
    ledger.read();
    bundles.addAll(ledger.parts().keySet());
  }

  /// Why not every bundle is owned by the one process that should; empty if each is.
  String notAsDecided() {
    for (int bundle : bundles) {
      Seat seat = ledger.seats().getOrDefault(bundle, Seat.EMPTY);
      for (Node node : nodes.values()) {
        State state = node.hands.state(bundle);
        boolean owns = node.home.equals(seat.owner()) && !seat.giving();
        if (state.isHeld() != owns || (owns && state != State.OWNER)) {
          return "bundle %d is %s at %s, and decided is %s"
              .formatted(bundle, state, node.home, seat);
        }
        if (state == State.FOLLOWING && !seat.followers().contains(node.home)) {
          return "bundle %d is followed by %s, and decided is %s"
              .formatted(bundle, node.home, seat);
        }
      }
      if (!nodes.containsKey(seat.owner())) {
        return "bundle %d is owned by nobody that lives: %s".formatted(bundle, seat);
      }
    }
    return "";
  }

  /// Somebody wants a bundle to be at the process that runs at a home now; null if anywhere.
  void ask(int bundle, @Nullable Node node) {
    asked.remove(bundle);
    MoveRequest request =
        node == null
            ? null
            : new MoveRequest(
                node.home,
                node.member.self().life(),
                ledger.seats().getOrDefault(bundle, Seat.EMPTY).owner());
    try {
      Log client = log.client("person " + ++people);
      new Requests("app", client, log.clock(), this::tick).move(bundle, request);
    } catch (LogException e) {
      unsure.add(bundle);
      return;
    }
    if (request != null && !unsure.contains(bundle)) {
      asked.put(bundle, request);
    }
  }

  /// Somebody wants a bundle to be split.
  void split(int bundle) {
    try {
      Log client = log.client("person " + ++people);
      new Requests("app", client, log.clock(), this::tick).split(bundle, true);
    } catch (LogException e) {
      return; // it may arrive at any time, or never
    }
  }

  /// Which bundle is not where somebody wants it although that process lives and stays; empty if
  /// none is.
  String notAsAsked() {
    for (int bundle : asked.keySet()) {
      Seat seat = ledger.seats().getOrDefault(bundle, Seat.EMPTY);
      if (isToBeObeyed(bundle) && !seat.owner().equals(asked.get(bundle).home())) {
        return "bundle %d is wanted by %s, and decided is %s"
            .formatted(bundle, asked.get(bundle), seat);
      }
    }
    return "";
  }

  int askedAtTheEnd() {
    return Math.toIntExact(asked.keySet().stream().filter(this::isToBeObeyed).count());
  }

  private boolean isToBeObeyed(int bundle) {
    MoveRequest request = asked.get(bundle);
    Node node = nodes.get(request.home());
    return node != null && node.member.self().life() == request.life() && node.stays();
  }

  /// Runs until every bundle is owned as decided.
  ///
  /// @return how long that took
  Duration runUntilOwned(Duration atMost, String what) {
    long begun = log.clock().nanos();
    while (!notAsDecided().isEmpty()) {
      if (log.clock().nanos() - begun > atMost.toNanos()) {
        throw new AssertionError(what + ": after " + atMost + ", " + notAsDecided());
      }
      tick();
    }
    return Duration.ofNanos(log.clock().nanos() - begun);
  }

  /// What each member has said last.
  SortedMap<String, Census.Said> census() {
    return new Census("app", log.client("census"), log.clock(), this::tick).last();
  }

  List<String> leaders() {
    return nodes.values().stream()
        .filter(node -> node.coordinator.isLeading())
        .map(node -> node.home)
        .toList();
  }

  /// What the records of the leaders say against each other; empty if nothing.
  String termsThatDoNotRise() {
    Term before = Term.NONE;
    for (ModelRecord record : log.records("app-placement")) {
      Term term =
          record.key() == null || record.value() == null
              ? null
              : Term.read(record.key().toByteArray(), record.value().toByteArray());
      if (term == null) {
        continue;
      }
      boolean goesOn =
          term.number() == before.number()
              && term.leader().equals(before.leader())
              && term.life() == before.life()
              && term.beat() > before.beat();
      if ((!goesOn && term.number() <= before.number()) || term.version() < before.version()) {
        return term + " after " + before;
      }
      before = term;
    }
    return "";
  }
}
