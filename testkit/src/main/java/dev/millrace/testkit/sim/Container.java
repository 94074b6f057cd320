package dev.millrace.testkit.sim;

import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Host;
import dev.millrace.testkit.disk.ModelCrash;
import dev.millrace.testkit.sim.SimulationSettings.Placing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A host, and the process on it, if one runs.
final class Container {
  private static final double PURGES = 0.001;

  /// How often its part in the cluster is stepped beside its workers.
  private static final double MEMBERSHIP = 0.1;

  private final int index;
  private final String process;
  private final Host host;
  private final World world;
  private final Seed seed;
  private final CrashPoints crashPoints;
  private final MovableClock clock;
  private final List<Failure> failures = new ArrayList<>();
  private @Nullable Life life;
  private long sleepsUntil;
  private int lives;
  private int turn;

  /// What a process has while it lives.
  private static final class Life {
    private final Engine engine;
    private final Log client;
    private final Sources sources;
    private final ModelCalls calls;
    private final @Nullable Membership membership;
    private boolean stopAsked;
    private boolean stops;

    Life(
        Engine engine,
        Log client,
        Sources sources,
        ModelCalls calls,
        @Nullable Membership membership) {
      this.membership = membership;
      this.engine = engine;
      this.client = client;
      this.sources = sources;
      this.calls = calls;
    }
  }

  /// What a container is started with.
  record Launch(Plan plan, TopologyGraph graph, SimulationSettings settings) {}

  Container(int index, String process, Host host, World world, Seed seed, CrashPoints crashPoints) {
    this.index = index;
    this.process = process;
    this.host = host;
    this.world = world;
    this.seed = seed;
    this.crashPoints = crashPoints;
    clock = new MovableClock(world.clock());
  }

  Host host() {
    return host;
  }

  /// The name of its processes, one after the other, which no other container has.
  String process() {
    return process;
  }

  @Nullable Engine engine() {
    return life == null ? null : life.engine;
  }

  List<Failure> failures() {
    return failures;
  }

  boolean completed() {
    return life != null && life.engine.completed();
  }

  /// Moves its time of day.
  void clock(Duration ahead) {
    clock.set(ahead);
  }

  /// Has it stand still until a step of the simulation.
  void sleepUntil(long step) {
    sleepsUntil = step;
  }

  boolean awake(long step) {
    return sleepsUntil <= step;
  }

  /// Starts its process unless it runs.
  void start(Launch launch) {
    if (life != null) {
      return;
    }
    SimulationSettings settings = launch.settings();
    Placement placement =
        settings.placing().moves()
            ? Placement.ofMember(process, settings.workers(), settings.groups())
            : new Placement(index, settings.containers(), settings.workers(), settings.groups());
    Disks disks = host.mount();
    Log client = world.connect(process);
    Sources sources = Sources.connect(launch.graph());
    ModelCalls calls = new ModelCalls(seed.fork("calls " + process + " " + lives));
    try {
      Engine engine =
          new Engine(
              launch.plan(),
              placement,
              settings.engine(),
              settings.limits(),
              new Surroundings(client, disks, clock, sources, calls, world.snapshots(this)));
      Membership membership =
          settings.placing() == Placing.BY_COORDINATOR
              ? new Membership(
                  launch.plan(),
                  process,
                  lives,
                  engine,
                  new Membership.Outside(client, clock, world.presence(process)),
                  seed.fork("membership " + process + " " + lives))
              : null;
      life = new Life(engine, client, sources, calls, membership);
    } catch (LogException e) {
      sources.close();
      client.close();
      host.kill();
      failures.add(new Failure(Failure.Kind.MENDABLE, "Start: " + e.getMessage(), e));
    }
  }

  /// The process as what it has under way in the background sees it.
  ///
  /// @param steps tells the step of the simulation
  SnapshotModel.Client client(LongSupplier steps) {
    int number = lives;
    return new SnapshotModel.Client() {
      @Override
      public boolean isDead() {
        return number != lives;
      }

      @Override
      public boolean sleeps() {
        return !awake(steps.getAsLong());
      }

      @Override
      public void die() {
        crash(seed.coin(), true);
      }
    };
  }

  /// Asks for an orderly end.
  void stop() {
    Life running = life;
    if (running != null) {
      running.stopAsked = true;
      if (running.membership == null) {
        running.engine.stop();
      } else {
        running.membership.leave();
      }
    }
  }

  /// As a member of its application, begins to let go of everything.
  void leave() {
    Life running = life;
    if (running != null && running.membership != null) {
      running.membership.leave();
    }
  }

  /// Returns what it says of itself as a member of its application; null if it is none.
  @Nullable Self member() {
    Life running = life;
    return running == null || running.membership == null ? null : running.membership.self();
  }

  /// Returns whether everything was let go of; true if it is no member.
  boolean hasLeft() {
    Life running = life;
    return running == null || running.membership == null || running.membership.hasLeft();
  }

  /// Ends the life of its process.
  void crash(boolean losesPower, boolean inDisk) {
    if (life != null) {
      crashPoints.crashed(life.engine, inDisk);
    }
    end(losesPower);
  }

  private void end(boolean losesPower) {
    Life ended = life;
    life = null;
    lives++;
    if (ended != null) {
      world.ended(process, ended.engine, ended.client);
      ended.sources.close();
    }
    if (losesPower) {
      host.losePower();
    } else {
      host.kill();
    }
  }

  /// One of its workers does a piece of work.
  ///
  /// @param atMost how long it may wait for records
  /// @return whether anything was done
  boolean step(Duration atMost) {
    Life running = life;
    if (running == null || running.engine.workers().isEmpty()) {
      return false;
    }
    running.calls.step();
    List<Worker> workers = running.engine.workers();
    Follower follower = running.engine.follower();
    Membership membership = running.membership;
    if (membership != null && seed.chance(MEMBERSHIP)) {
      membership.step();
      if (running.stopAsked && !running.stops && membership.hasLeft()) {
        running.stops = true;
        running.engine.stop();
      }
    }
    int threads = workers.size() + (follower == null ? 0 : 1);
    turn = seed.coin() ? (turn + 1) % threads : seed.below(threads);
    boolean progress =
        turn < workers.size()
            ? step(workers.get(turn), atMost)
            : step(Objects.requireNonNull(follower), atMost);
    if (seed.chance(PURGES)) {
      running.engine.purge();
    }
    Failure failure = running.engine.failure();
    if (host.died()) {
      crash(seed.coin(), true);
    } else if (failure != null && !running.engine.finished()) {
      // As the owner of an engine does when one of its groups cannot go on.
      running.stopAsked = true;
      running.engine.stop();
    } else if (running.engine.finished() && !running.engine.completed()) {
      if (failure != null) {
        failures.add(failure);
      } else if (!running.stopAsked) {
        throw new AssertionError("Container " + index + " released its tasks without an order.");
      }
      end(false);
    }
    return progress;
  }

  private boolean step(Worker worker, Duration atMost) {
    return !worker.closed() && orDies(() -> worker.step(atMost));
  }

  private boolean step(Follower follower, Duration atMost) {
    return orDies(() -> follower.step(atMost));
  }

  private boolean orDies(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (ModelCrash e) {
      if (!host.died()) {
        throw e;
      }
      return true; // it died while it made up for a failure
    }
  }

  /// Where it stands, for messages.
  String state() {
    StringBuilder text = new StringBuilder("\ncontainer ").append(index);
    Life running = life;
    if (running == null) {
      return text.append(" is down ")
          .append(failures.reversed().stream().limit(3).toList())
          .toString();
    }
    running.engine.groups().forEach(group -> text.append(' ').append(group.state()));
    running
        .engine
        .taskMetrics()
        .forEach((id, m) ->
            text.append(" task ")
                .append(id)
                .append(": ")
                .append(m.processed())
                .append(" records, watermark ")
                .append(m.watermark()));
    return text.toString();
  }
}
