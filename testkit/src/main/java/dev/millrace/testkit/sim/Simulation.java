package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.engine.Engine;
import dev.millrace.engine.Topics;
import dev.millrace.engine.commit.Failure;
import dev.millrace.engine.input.Sources;
import dev.millrace.engine.loop.Worker;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.plan.Planner;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.Placement;
import dev.millrace.engine.settings.Surroundings;
import dev.millrace.engine.topology.TopologyGraph;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.state.run.SortedRunDisks;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.Trace;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.time.Scheduler;
import dev.millrace.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A whole job in one thread and in virtual time: the real engine in any number of containers, on
/// the model log and model disks. The same seed and the same calls give the same run.
///
/// Every [#step] lets one worker of one container, drawn from the seed, do a bounded piece of work,
/// and lets some time pass. Containers may be crashed between any two steps, or in the middle of
/// what they do to their disk, and started again.
public final class Simulation {
  private static final double PURGES = 0.001;

  private final Seed seed;
  private final Scheduler scheduler = new Scheduler(new VirtualClock());
  private final ModelLog log;
  private StreamApplication application;
  private final List<Container> containers = new ArrayList<>();

  /// Processes that another one has taken the place of, and that do not know.
  private final List<Container> zombies = new ArrayList<>();

  private final CrashPoints crashPoints = new CrashPoints();
  private @Nullable TopologyGraph graph;
  private SimulationSettings settings;
  private @Nullable Plan plan;
  private long steps;
  private int idleSteps;
  private int hosts;
  private @Nullable SnapshotModel snapshots;

  public Simulation(long seed, StreamApplication application, SimulationSettings settings) {
    this.settings = settings;
    this.application = application;
    this.seed = new Seed(seed).fork("simulation");
    log = new ModelLog(scheduler, new Trace(), new Seed(seed), settings.log());
    for (int i = 0; i < settings.containers(); i++) {
      containers.add(new Container(i, "container-" + i, new ModelFiles(seed * 31 + i)));
    }
  }

  public ModelLog log() {
    return log;
  }

  public Seed seed() {
    return seed;
  }

  /// The steps taken so far.
  public long steps() {
    return steps;
  }

  /// The plan; made from the topics there are when it is asked for first.
  public Plan plan() {
    Plan made = plan;
    if (made == null) {
      TopologyGraph described = TopologyGraph.of(application);
      graph = described;
      Map<String, Integer> partitions = new TreeMap<>();
      try (Sources sources = Sources.connect(described)) {
        partitions.putAll(sources.externalSplits());
      }
      settings
          .streams()
          .forEach(name ->
              log.topics(List.of(name)).forEach((n, info) -> partitions.put(n, info.partitions())));
      made = Planner.plan(application.name(), described, partitions);
      plan = made;
      Topics.missing(log, Topics.needed(made, settings.engine())).forEach(log::createTopic);
    }
    return made;
  }

  /// Gives the containers that start from now on other settings of the engine.
  public void settings(EngineSettings engine) {
    settings = settings.withEngine(engine);
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

  /// Gives the containers that start from now on another application of the same name.
  public void application(StreamApplication other) {
    application = other;
    graph = null;
    plan = null;
  }

  /// Starts every container that does not run.
  public void startAll() {
    containers.forEach(Container::start);
  }

  /// Ends the life of a container's process.
  ///
  /// @param losesPower whether what its disk had not synced is lost as well
  public void crash(int container, boolean losesPower) {
    containers.get(container).crash(losesPower, false);
  }

  /// Lets a container die in one of the next operations on its disk, if it gets that far.
  public void crashInDisk(int container, int operationsAhead) {
    containers.get(container).crashInDisk(operationsAhead);
  }

  /// Stops a container for a while, as a machine that is overloaded does, and starts it on another
  /// host meanwhile, whose disk is empty. When the first one wakes up, it goes on as if nothing had
  /// happened.
  ///
  /// @param steps how long it sleeps
  public void replace(int container, int steps) {
    Container old = containers.get(container);
    if (old.engine != null) {
      old.sleepsUntil = this.steps + steps;
      zombies.add(old);
    }
    moveTo(container, new ModelFiles(seed.value() + 1_001 + hosts));
  }

  /// Starts a container that does not run on a host with a disk of its own.
  public void moveTo(int container, ModelFiles disk) {
    hosts++;
    Container moved = new Container(container, "container-" + container + "-" + hosts, disk);
    containers.set(container, moved);
    moved.start();
  }

  /// What containers were doing when they were crashed so far.
  public CrashPoints crashPoints() {
    return crashPoints;
  }

  /// Asks all containers to stop.
  public void stopAll() {
    for (Container container : containers) {
      if (container.engine != null) {
        container.stopAsked = true;
        container.engine.stop();
      }
    }
  }

  /// Whether every container runs.
  public boolean allRun() {
    return containers.stream().allMatch(container -> container.engine != null);
  }

  /// Whether every container has come to its end, and the job with it.
  public boolean completed() {
    return containers.stream()
        .allMatch(container -> container.engine != null && container.engine.completed());
  }

  /// The files of a container's host; they outlive its processes.
  public ModelFiles files(int container) {
    return containers.get(container).files;
  }

  /// The engine of a container; null if it does not run.
  public @Nullable Engine engine(int container) {
    return containers.get(container).engine;
  }

  /// The failures that containers ended with so far.
  public List<Failure> failures() {
    return containers.stream().flatMap(container -> container.failures.stream()).toList();
  }

  /// One worker does a piece of work, and time passes.
  public void step() {
    steps++;
    Container container = nextInTurn();
    idleSteps = container.step() ? 0 : idleSteps + 1;
    // The longer nothing was to be done, the faster time passes.
    long most = settings.stepTime().toNanos() * (1 + Math.min(idleSteps, 64) / 4);
    log.advance(Duration.ofNanos(seed.below((int) most)));
  }

  private Container nextInTurn() {
    zombies.removeIf(zombie -> zombie.engine == null);
    int awake = 0;
    for (Container zombie : zombies) {
      awake += zombie.sleepsUntil <= steps ? 1 : 0;
    }
    int drawn = seed.below(containers.size() + awake);
    if (drawn < containers.size()) {
      return containers.get(drawn);
    }
    int skip = drawn - containers.size();
    return zombies.stream()
        .filter(zombie -> zombie.sleepsUntil <= steps)
        .skip(skip)
        .findFirst()
        .orElseThrow();
  }

  /// Steps until all containers have completed.
  ///
  /// @throws AssertionError if that takes more than `most` steps
  public void runToCompletion(long most) {
    long end = steps + most;
    while (!completed()) {
      if (steps >= end) {
        throw new AssertionError(
            "The job has not come to its end within " + most + " steps: " + state());
      }
      step();
    }
  }

  /// Where everybody stands, for messages.
  public String state() {
    StringBuilder text = new StringBuilder();
    for (Container container : containers) {
      text.append("\ncontainer ").append(container.index);
      Engine engine = container.engine;
      if (engine == null) {
        text.append(" is down ").append(container.failures.reversed().stream().limit(3).toList());
      } else {
        engine.groups().forEach(group -> text.append(' ').append(group.state()));
        engine
            .taskMetrics()
            .forEach((id, m) ->
                text.append(" task ")
                    .append(id)
                    .append(": ")
                    .append(m.processed())
                    .append(" records, watermark ")
                    .append(m.watermark()));
      }
    }
    return text.toString();
  }

  /// A host, and the process on it, if one runs.
  private final class Container {
    private final int index;
    private final String process;
    private final ModelFiles files;
    private final List<Failure> failures = new ArrayList<>();
    private @Nullable Engine engine;
    private @Nullable Sources sources;
    private long dieAtOperation = Long.MAX_VALUE;
    private long sleepsUntil;
    private boolean stopAsked;
    private int turn;
    private int lives;

    Container(int index, String process, ModelFiles files) {
      this.index = index;
      this.process = process;
      this.files = files;
    }

    void start() {
      if (engine != null) {
        return;
      }
      Disks disks = new SortedRunDisks(files.mount(), settings.runsOnDisk());
      Placement placement =
          new Placement(index, settings.containers(), settings.workers(), settings.oneGroup());
      try {
        Plan planned = plan();
        Log client = log.client(process);
        Sources connected = Sources.connect(Objects.requireNonNull(graph));
        sources = connected;
        engine =
            new Engine(
                planned,
                placement,
                settings.engine(),
                settings.limits(),
                new Surroundings(
                    client,
                    disks,
                    scheduler.clock(),
                    connected,
                    snapshots == null ? null : snapshots.of(new Life())));
      } catch (LogException e) {
        files.kill();
        failures.add(new Failure(Failure.Kind.MENDABLE, "Start: " + e.getMessage(), e));
      }
    }

    void crash(boolean losesPower, boolean inDisk) {
      if (engine != null) {
        crashPoints.crashed(engine, inDisk);
      }
      end(losesPower);
    }

    /// One process on the host.
    private final class Life implements SnapshotModel.Client {
      private final int number = lives;

      @Override
      public boolean isDead() {
        return number != lives;
      }

      @Override
      public boolean sleeps() {
        return sleepsUntil > steps;
      }

      @Override
      public void die() {
        crash(seed.coin(), true);
      }
    }

    private void end(boolean losesPower) {
      lives++;
      engine = null;
      stopAsked = false;
      log.crash(process);
      if (sources != null) {
        sources.close();
        sources = null;
      }
      dieAtOperation = Long.MAX_VALUE;
      if (losesPower) {
        files.losePower();
      } else {
        files.kill();
      }
    }

    void crashInDisk(int operationsAhead) {
      dieAtOperation = files.operations() + operationsAhead;
      files.crashAt(dieAtOperation);
    }

    boolean step() {
      Engine running = engine;
      if (running == null || running.workers().isEmpty()) {
        return false;
      }
      List<Worker> workers = running.workers();
      turn = seed.coin() ? (turn + 1) % workers.size() : seed.below(workers.size());
      Worker worker = workers.get(turn);
      boolean progress = !worker.closed() && worker.step(Duration.ZERO);
      if (seed.chance(PURGES)) {
        running.purge();
      }
      if (files.operations() >= dieAtOperation) {
        crash(seed.coin(), true);
      } else if (running.failure() != null && !running.finished()) {
        // As the owner of an engine does when one of its groups cannot go on.
        stopAsked = true;
        running.stop();
      } else if (running.finished() && !running.completed()) {
        Failure failure = running.failure();
        if (failure != null) {
          failures.add(failure);
        } else if (!stopAsked) {
          throw new AssertionError(
              "Container " + index + " let go of its tasks, and nobody asked it to.");
        }
        end(false);
      }
      return progress;
    }
  }
}
