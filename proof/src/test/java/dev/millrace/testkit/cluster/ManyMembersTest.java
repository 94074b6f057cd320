package dev.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Orders;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.live.Rhythm;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.live.SignWriter;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.spi.Log;
import dev.millrace.spi.Presence;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a coordinator of very many members reads and writes, and how long that takes. The bounds
/// are generous.
class ManyMembersTest {
  private static final Duration STEP = Duration.ofMillis(250);
  private static final long LONGEST_STEP_NANOS = Duration.ofSeconds(15).toNanos();
  private static final int BUNDLES_A_MEMBER = 10;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ModelLog log = ModelLog.of(1, ModelSettings.defaults().withBatchRecords(2000));
  private final List<SignWriter> writers = new ArrayList<>();
  private final Map<String, List<Report>> reports = new TreeMap<>();
  private long longestNanos;
  private int said;
  private int members;

  private Self self(int number) {
    return new Self(
        "0b5f3c1e-7d4a-4c2e-9a52-%012d".formatted(number),
        number,
        "disk" + number,
        "ip-10-0-%d-%d.compute.internal".formatted(number / 200, number % 200),
        "zone-" + number % 3,
        1,
        1,
        1,
        "tasks",
        new Bundles(List.of(new Bundles.Range(0, members * BUNDLES_A_MEMBER))),
        Self.Running.UNKNOWN);
  }

  /// Does at once what it is told.
  private static final class Quick implements Hands {
    private final Map<Integer, Report> held = new TreeMap<>();

    @Override
    public void take(int bundle, long version, boolean force) {
      held.put(bundle, new Report(bundle, State.OWNER, version, -1, 0, 0));
    }

    @Override
    public void give(int bundle) {
      held.remove(bundle);
    }

    @Override
    public void follow(int bundle) {}

    @Override
    public void knows(int part, int parent) {}

    @Override
    public String whyNotSplit(int bundle) {
      return "";
    }

    @Override
    public int addBundle(int least) {
      return least;
    }

    @Override
    public void split(int bundle, int part) {}

    @Override
    public void forget(int bundle) {}

    @Override
    public List<Report> reports() {
      return List.copyOf(held.values());
    }
  }

  @Test
  void aThousandMembersAreHeardAndPlacedAndHalfOfThemDie() {
    heardAndPlacedAndHalfOfThemDie(1_000);
  }

  @Test
  @Tag("thorough")
  void tenThousandMembersAreHeardAndPlacedAndHalfOfThemDie() {
    heardAndPlacedAndHalfOfThemDie(10_000);
  }

  private void heardAndPlacedAndHalfOfThemDie(int count) {
    members = count;
    int bundleCount = members * BUNDLES_A_MEMBER;
    log.createTopic(Decisions.topic("app"));
    log.createTopic(Signs.topic("app"));
    Log others = log.client("others");
    for (int i = 1; i < members; i++) {
      writers.add(new SignWriter("app", self(i).home(), others, log.clock()));
    }
    Log client = log.client("leader");
    Member member = new Member("app", self(0), new Quick(), client, log.clock(), Presence.none());
    Policy policy = Policy.defaults().withStandbys(1).withAffinityWait(Duration.ZERO);
    Coordinator coordinator =
        new Coordinator(
            new Coordinator.Scope("app", policy, Duration.ofSeconds(10)),
            member,
            client,
            log.clock(),
            new SplittableRandom(1));

    run(member, coordinator, Duration.ofSeconds(20), members);
    Decisions decisions = new Decisions("app", log);
    decisions.read();
    assertEquals(bundleCount, decisions.seats().size());
    assertEven(decisions, 1);
    int records = log.records("app-placement").size();
    long first = bytes(log.records("app-placement"), 0);
    assertTrue(first < 300L * bundleCount, "the first decision has " + first + " bytes");
    for (int i = 1; i < members; i++) {
      Orders orders = decisions.orders(self(i).home());
      List<Report> told = new ArrayList<>();
      orders
          .owned()
          .forEach((bundle, own) ->
              told.add(new Report(bundle, State.OWNER, own.version(), -1, 0, 100)));
      reports.put(self(i).home(), told);
    }

    run(member, coordinator, Duration.ofSeconds(20), members);
    long largest =
        log.records("app-members").stream().mapToLong(ManyMembersTest::bytes).max().orElseThrow();
    assertTrue(largest < 600, "a sign has " + largest + " bytes");
    long second = members * 1_000_000_000L / Rhythm.beatNanos(members);
    assertTrue(second <= 2000, second + " signs a second");
    decisions.read();
    long version = decisions.term().version();
    Map<Integer, Seat> before = new TreeMap<>(decisions.seats());

    run(member, coordinator, Duration.ofSeconds(40), members / 2);
    decisions.read();
    // They fall silent within one beat, in which there may be two plans.
    long more = decisions.term().version() - version;
    assertTrue(more == 1 || more == 2, more + " decisions");
    assertEven(decisions, 2);
    before.forEach((bundle, seat) -> {
      if (seat.owner().compareTo(self(members / 2).home()) < 0) {
        assertEquals(seat.owner(), decisions.seats().get(bundle).owner());
      }
    });
    long half = bytes(log.records("app-placement"), records);
    assertTrue(half < 300L * bundleCount, "that decision has " + half + " bytes");
    assertTrue(
        longestNanos < LONGEST_STEP_NANOS, "a step took " + longestNanos / 1_000_000 + " ms");
  }

  /// Lets the first members live for a while.
  private void run(Member member, Coordinator coordinator, Duration time, int living) {
    int steps = (int) (time.toNanos() / STEP.toNanos());
    int perStep = (int) (members * STEP.toNanos() / Rhythm.beatNanos(members));
    for (int i = 0; i < steps; i++) {
      for (int sign = 0; sign < perStep; sign++) {
        int next = said++ % writers.size();
        if (next + 1 < living) {
          SignWriter writer = writers.get(next);
          Self self = self(next + 1);
          writer.step();
          writer.say(
              new Sign(
                  self, said, Sign.Phase.HERE, 1, 0, reports.getOrDefault(self.home(), List.of())));
        }
      }
      long begun = THREADS.getCurrentThreadCpuTime();
      member.step(log.clock().nanos());
      coordinator.step(log.clock().nanos());
      longestNanos = Math.max(longestNanos, THREADS.getCurrentThreadCpuTime() - begun);
      log.advance(STEP);
    }
  }

  private void assertEven(Decisions decisions, int times) {
    Map<String, Integer> owned = new TreeMap<>();
    decisions.seats().values().forEach(seat -> owned.merge(seat.owner(), 1, Integer::sum));
    assertEquals(members / times, owned.size());
    for (int each : owned.values()) {
      assertTrue(each <= 2 * times * BUNDLES_A_MEMBER, "a member has " + each + " bundles");
    }
  }

  private static long bytes(List<ModelRecord> records, int from) {
    return records.subList(from, records.size()).stream().mapToLong(ManyMembersTest::bytes).sum();
  }

  private static long bytes(ModelRecord record) {
    long key = record.key() == null ? 0 : record.key().length();
    return key + (record.value() == null ? 0 : record.value().length());
  }
}
