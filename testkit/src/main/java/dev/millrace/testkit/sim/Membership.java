package dev.millrace.testkit.sim;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/// A process as a member of its application: it says that it lives, does what the coordinator has
/// decided, and coordinates if no other does.
final class Membership {
  private final Member member;
  private final Coordinator coordinator;
  private final Clock clock;

  /// @param process by which it is known
  /// @param life differs for each process of that name
  Membership(Plan plan, String process, long life, Engine engine, Log log, Clock clock, Seed seed) {
    this.clock = clock;
    String plans = Long.toHexString(plan.version());
    Self self = new Self(process, life, process, "", 1, 1, 1, plans);
    member = new Member(plan.storage(), self, new EngineHands(engine), log, clock);
    TreeSet<Integer> bundles = new TreeSet<>();
    plan.tasks().forEach(task -> bundles.add(task.number()));
    Policy policy =
        Policy.defaults()
            .withStandbys(seed.below(3))
            .withBalanceAfter(Duration.ofSeconds(seed.coin() ? 1 : 600));
    coordinator =
        new Coordinator(
            new Coordinator.Scope(plan.storage(), bundles, policy, Duration.ofMillis(500)),
            member,
            log,
            clock,
            new SplittableRandom(seed.nextLong()));
  }

  void step() {
    member.step(clock.nanos());
    coordinator.step(clock.nanos());
  }

  /// Begins to let go of everything.
  void leave() {
    coordinator.resign();
    member.sayGoodbye(true);
  }

  /// Whether everything was let go of.
  boolean hasLeft() {
    return member.hasSaidGoodbye() && !coordinator.isLeading();
  }

  /// Has an engine do what is decided.
  private record EngineHands(Engine engine) implements Hands {
    @Override
    public void take(int bundle, long version, boolean force) {
      engine.take(bundle, version, force);
    }

    @Override
    public void give(int bundle) {
      engine.give(bundle);
    }

    @Override
    public void follow(int bundle) {
      follower().follow(bundle, true);
    }

    @Override
    public void forget(int bundle) {
      follower().follow(bundle, false);
    }

    private Follower follower() {
      return Objects.requireNonNull(engine.follower());
    }

    @Override
    public List<Report> reports() {
      Map<Integer, Report> reports = new TreeMap<>();
      follower()
          .following()
          .forEach((task, warm) ->
              reports.put(task, new Report(task, Report.State.FOLLOWING, 0, warm ? 0 : -1, 0, 0)));
      engine
          .held()
          .forEach((task, held) ->
              reports.put(task, new Report(task, state(held), held.version(), -1, 0, 0)));
      return new ArrayList<>(reports.values());
    }

    private static Report.State state(HeldTask held) {
      return switch (held.stage()) {
        case COMING -> Report.State.TAKING;
        case OWNED -> Report.State.OWNER;
        case LEAVING -> Report.State.LEAVING;
      };
    }
  }
}
