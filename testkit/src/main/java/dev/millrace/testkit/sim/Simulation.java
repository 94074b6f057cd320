package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.SnapshotSettings;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Presence;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.disk.ModelHost;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.time.Scheduler;
import dev.millrace.testkit.time.VirtualClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A whole job in one thread and in virtual time: the real engine in any number of containers, on
/// the model log and model disks. The same seed and the same calls give the same run.
///
/// Every [#step] lets one worker of one container, drawn from the seed, do a bounded piece of work,
/// and lets some time pass. Containers may be crashed between any two steps, or in the middle of
/// what they do to their disk, and started again.
public final class Simulation implements Run {
  private static final long MOST_STEPS = 150_000;

  private final Seed seed;
  private final Scheduler scheduler;
  private final ModelLog log;
  private final ModelPresence presence;
  private final Cluster cluster;
  private final Duration stepTime;
  private long steps;
  private int idleSteps;
  private @Nullable SnapshotModel snapshots;

  public Simulation(long seed, StreamApplication application, SimulationSettings settings) {
    this(seed, application, settings, Hosts.models());
  }

  /// @param hosts where the local state is kept; closed by who made them
  public Simulation(
      long seed, StreamApplication application, SimulationSettings settings, Hosts hosts) {
    this(seed, application, settings, hosts, new VirtualClock());
  }

  /// @param hosts where the local state is kept; closed by who made them
  /// @param clock which the simulation moves on
  public Simulation(
      long seed,
      StreamApplication application,
      SimulationSettings settings,
      Hosts hosts,
      VirtualClock clock) {
    this.seed = new Seed(seed).fork("simulation");
    scheduler = new Scheduler(clock);
    stepTime = settings.stepTime();
    log = new ModelLog(scheduler, new Trace(), new Seed(seed), settings.log());
    presence = ModelPresence.drawn(scheduler.clock(), this.seed.fork("presence"));
    cluster = new Cluster(new Modelled(), hosts, this.seed, application, settings);
  }

  /// A simulation of a job whose topics are created and whose input is written.
  static Simulation prepared(long seed, DrawnJob job, SimulationSettings settings, Hosts hosts) {
    Simulation simulation = new Simulation(seed, job.application(), settings, hosts);
    job.topics().forEach(simulation.log::createTopic);
    for (InputRecord record : job.input()) {
      simulation.log.append(
          record.split(),
          record.timestamp(),
          record.key() == null ? null : record.key().toByteArray(),
          record.value() == null ? null : record.value().toByteArray(),
          record.headers().toByteArray());
    }
    job.begin(simulation.log);
    job.foreign().open(simulation.log, () -> simulation.log.advance(Duration.ofMillis(1)));
    simulation.plan();
    return simulation;
  }

  /// Everything on models.
  private final class Modelled implements World {
    @Override
    public Log log() {
      return log;
    }

    @Override
    public Clock clock() {
      return scheduler.clock();
    }

    @Override
    public void pause() {
      log.advance(Duration.ofMillis(1));
    }

    @Override
    public Log connect(String process) {
      return log.client(process);
    }

    @Override
    public void ended(String process, Engine engine, Log client) {
      presence.ended(process);
      log.crash(process);
    }

    @Override
    public Presence presence(String process) {
      return presence.seenBy(process);
    }

    @Override
    public @Nullable SnapshotSettings snapshots(Container container) {
      SnapshotModel model = snapshots;
      return model == null ? null : model.of(container.client(() -> steps));
    }
  }

  public ModelLog log() {
    return log;
  }

  public Seed seed() {
    return seed;
  }

  @Override
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public Clock clock() {
    return scheduler.clock();
  }

  @Override
  public boolean overdue() {
    return steps > MOST_STEPS;
  }

  /// Gives the containers that start from now on other settings of the engine.
  public void settings(EngineSettings engine) {
    cluster.settings(cluster.settings().withEngine(engine));
  }

  /// Lets the containers that start from now on take snapshots, and use them.
  ///
  /// @param interval the shortest time between two snapshots of a task
  /// @param slowest how long it takes at most until a snapshot is copied
  /// @return where they go
  public ModelBlobs snapshots(Duration interval, Duration slowest) {
    ModelBlobs store = new ModelBlobs(seed.value() + 7, scheduler.clock());
    snapshots = new SnapshotModel(store, interval, slowest, seed.fork("snapshots"), scheduler);
    return store;
  }

  /// Gives the containers that start from now on another application of the same name, which goes
  /// on from the state of the one before.
  void becomes(StreamApplication other) {
    cluster.becomes(other);
  }

  /// Gives the containers that start from now on another application of the same name, which knows
  /// of no plan before it.
  public void application(StreamApplication other) {
    cluster.application(other);
  }

  /// Lets a container die in one of the next operations on its disk, if it gets that far.
  public void crashInDisk(int container, int operationsAhead) {
    cluster.container(container).host().dieAfter(operationsAhead);
  }

  /// Starts a container that does not run on a host with a disk of its own.
  public void moveTo(int container, ModelFiles disk) {
    cluster.moveTo(container, new ModelHost(disk, Hosts.MOST_RUNS));
  }

  /// What containers were doing when they were crashed so far.
  public CrashPoints crashPoints() {
    return cluster.crashPoints();
  }

  /// The files of a container's host, which is a model; they outlive its processes.
  public ModelFiles files(int container) {
    return ((ModelHost) cluster.container(container).host()).files();
  }

  /// One worker does a piece of work, and time passes.
  @Override
  public void step() {
    steps++;
    Container container = cluster.nextInTurn(steps);
    idleSteps = container.step(Duration.ZERO) ? 0 : idleSteps + 1;
    // The longer nothing was to be done, the faster time passes.
    long most = stepTime.toNanos() * (1 + Math.min(idleSteps, 64) / 4);
    log.advance(Duration.ofNanos(seed.below((int) most)));
  }

  @Override
  public void disturb(Seed faults) {
    log.faults(Faults.drawn(faults));
  }

  @Override
  public void calm() {
    log.calm();
    presence.beHonest();
  }

  /// Steps until all containers have completed.
  ///
  /// @throws AssertionError if that takes more than `most` steps
  public void runToCompletion(long most) {
    long end = steps + most;
    while (!completed()) {
      if (steps >= end) {
        throw new AssertionError("The job did not end within " + most + " steps: " + state());
      }
      step();
    }
  }
}
