package dev.millrace.testkit.sim;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.Departure;
import dev.millrace.internal.cluster.EngineHands;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Presence;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// A process as a member of its application: it says that it lives, does what the coordinator has
/// decided, and coordinates if no other does.
final class Membership {
  private final Member member;
  private final Coordinator coordinator;
  private final Departure departure;
  private final Duration handOver;
  private final Clock clock;

  /// What a member knows of others by.
  record Outside(Log log, Clock clock, Presence presence) {}

  /// @param process by which it is known
  /// @param life differs for each process of that name
  Membership(Plan plan, String process, long life, Engine engine, Outside outside, Seed seed) {
    clock = outside.clock;
    List<Integer> bundles = plan.tasks().stream().map(Plan.TaskId::number).toList();
    Self self =
        new Self(
            process,
            life,
            process,
            process,
            "",
            1,
            1,
            Part.FORMAT,
            "",
            Bundles.of(bundles),
            Self.Running.UNKNOWN);
    member =
        new Member(
            plan.storage(),
            self,
            new EngineHands(engine, List::of, clock, true),
            outside.log,
            clock,
            outside.presence);
    Policy policy =
        Policy.defaults()
            .withStandbys(seed.below(3))
            .withBalanceAfter(Duration.ofSeconds(seed.coin() ? 1 : 600));
    coordinator =
        new Coordinator(
            new Coordinator.Scope(plan.storage(), policy, Duration.ofMillis(500)),
            member,
            outside.log,
            clock,
            new SplittableRandom(seed.nextLong()));
    departure = new Departure(member, coordinator);
    handOver = Duration.ofSeconds(seed.below(4));
  }

  Self self() {
    return member.self();
  }

  void step() {
    member.step(clock.nanos());
    coordinator.step(clock.nanos());
    departure.step(clock.nanos());
  }

  /// Begins to let go of everything.
  void leave() {
    departure.begin(handOver, clock.nanos());
  }

  /// Whether everything was let go of.
  boolean hasLeft() {
    return departure.isDone();
  }
}
