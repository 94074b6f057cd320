package dev.millrace.testkit.cluster;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.Departure;
import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// One process of the application, with a clock of its own.
final class Node {
  final String home;
  final ModelHands hands;
  final Member member;
  final Coordinator coordinator;
  private final Departure departure;
  private final ModelLog log;
  private final Clock clock;
  private final Seed seed;
  private final Duration slowest;
  long awakeNanos;
  private boolean leaving;
  private boolean stopping;
  private boolean returning;

  Node(Self self, Coordinator.Scope scope, ClusterWorld world, Seed seed, Duration slowest) {
    log = world.log;
    Ledger ledger = world.ledger;
    this.home = self.home();
    this.seed = seed;
    this.slowest = slowest;
    long offset = seed.nextLong();
    clock =
        new Clock() {
          @Override
          public long millis() {
            return log.clock().millis();
          }

          @Override
          public long nanos() {
            return log.clock().nanos() + offset;
          }
        };
    Log client = world.interrupted(log.client(home), seed.fork("reader"));
    hands = new ModelHands(home, ledger, seed.fork("hands"));
    member =
        new Member("app", self, counted(self, ledger), client, clock, world.presence.seenBy(home));
    coordinator =
        new Coordinator(scope, member, client, clock, new SplittableRandom(seed.nextLong()));
    departure = new Departure(member, coordinator);
    awakeNanos = log.clock().nanos();
  }

  private Hands counted(Self self, Ledger ledger) {
    long startedNanos = log.clock().nanos();
    return new Hands() {
      @Override
      public void take(int bundle, long version, boolean force) {
        ledger.takes(home, home + " in life " + self.life(), bundle, version, startedNanos);
        hands.take(bundle, version, force);
      }

      @Override
      public void give(int bundle) {
        hands.give(bundle);
      }

      @Override
      public void follow(int bundle) {
        hands.follow(bundle);
      }

      @Override
      public void knows(int part, int parent) {
        hands.knows(part, parent);
      }

      @Override
      public String whyNotSplit(int bundle) {
        return hands.whyNotSplit(bundle);
      }

      @Override
      public int addBundle(int least) {
        return hands.addBundle(least);
      }

      @Override
      public void split(int bundle, int part) {
        hands.split(bundle, part);
      }

      @Override
      public void forget(int bundle) {
        hands.forget(bundle);
      }

      @Override
      public List<Report> reports() {
        return hands.reports();
      }
    };
  }

  /// Steps, unless the process sleeps.
  ///
  /// @return whether the process has ended in order
  boolean step() {
    long now = log.clock().nanos();
    if (now < awakeNanos) {
      return false;
    }
    awakeNanos = now + seed.between(Duration.ofMillis(5), slowest).toNanos();
    hands.step();
    member.step(clock.nanos());
    coordinator.step(clock.nanos());
    departure.step(clock.nanos());
    hands.ending |= departure.isGoing();
    if (leaving && member.isIdle()) {
      sayGoodbye(returning);
    }
    return member.hasSaidGoodbye() && !coordinator.isLeading();
  }

  void leave(boolean toReturn) {
    returning = toReturn;
    leaving = true;
    member.leave();
  }

  /// The process is told to end.
  void stop(Duration handOver) {
    stopping = true;
    departure.begin(handOver, clock.nanos());
    hands.ending |= departure.isGoing();
  }

  /// Whether it stays, and has what is decided.
  boolean stays() {
    return !leaving && !stopping && !hands.ending;
  }

  void sayGoodbye(boolean toReturn) {
    hands.ending = true;
    coordinator.resign();
    member.sayGoodbye(toReturn);
  }

  boolean isAwake() {
    return log.clock().nanos() + slowest.toNanos() >= awakeNanos;
  }

  void close() {
    coordinator.close();
    member.close();
  }
}
