package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.plan.SplitTasks;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Host;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.sim.SimulationSettings.Placing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The containers of one job, and the processes that others have taken the place of and that do not
/// know. Used by one thread.
final class Cluster {
  private final World world;
  private final Hosts hosts;
  private final Seed seed;
  private final CrashPoints crashPoints = new CrashPoints();
  private final List<Container> containers = new ArrayList<>();

  /// Processes that another one has taken the place of. How likely a process that another one has
  /// the place of is asked to end at a step.
  private static final double ENDS = 0.005;

  private final List<Container> zombies = new ArrayList<>();

  /// What containers failed with that are no more.
  private final List<Failure> earlier = new ArrayList<>();

  /// Whether exchanges are direct whenever there is one container.
  private final boolean directIfItCan;

  /// Null if tasks do not move.
  private final @Nullable Mover mover;

  private final Wishes wishes;

  private StreamApplication application;
  private SimulationSettings settings;
  private @Nullable TopologyGraph graph;
  private @Nullable Plan plan;
  private Map<Split, Long> starts = Map.of();

  /// The plan before; null if there is none.
  private @Nullable PlanDescription before;

  private final Set<Long> earlierVersions = new TreeSet<>();
  private int made;

  Cluster(
      World world,
      Hosts hosts,
      Seed seed,
      StreamApplication application,
      SimulationSettings settings) {
    this.world = world;
    this.hosts = hosts;
    this.seed = seed;
    this.application = application;
    this.settings = settings;
    directIfItCan = settings.groups() == Groups.DIRECT;
    mover = settings.placing() == Placing.AT_RANDOM ? new Mover(this, seed.fork("moves")) : null;
    wishes = new Wishes(world, seed);
    grow();
  }

  private void grow() {
    while (containers.size() < settings.containers()) {
      containers.add(onNewHost(containers.size()));
    }
  }

  private Container onNewHost(int index) {
    String name = "container-" + index + "-" + made++;
    return new Container(
        index, name, hosts.host(name, seed.value() + made), world, seed, crashPoints);
  }

  SimulationSettings settings() {
    return settings;
  }

  void settings(SimulationSettings newSettings) {
    settings = newSettings;
  }

  /// Gives the containers that start from now on another application, which knows of no plan before
  /// it, as where what is recorded of plans is lost.
  void application(StreamApplication other) {
    application = other;
    graph = null;
    plan = null;
    before = null;
    earlierVersions.clear();
  }

  /// Gives the containers that start from now on another application, which goes on from the state
  /// of the one before.
  void becomes(StreamApplication other) {
    Plan last = plan();
    before = last.description();
    earlierVersions.add(last.version());
    application = other;
    graph = null;
    plan = null;
  }

  /// As after a reset that removed all that was kept: containers begin on new hosts, at these
  /// positions, and the application's own topics are made anew.
  void beginAnew(Map<Split, Long> newStarts) {
    containers.forEach(container -> container.crash(false, false));
    containers.replaceAll(container -> {
      earlier.addAll(container.failures());
      return onNewHost(containers.indexOf(container));
    });
    plan = null;
    before = null;
    earlierVersions.clear();
    starts = newStarts;
  }

  /// The plan; made from the topics there are when it is asked for first.
  Plan plan() {
    Plan known = plan;
    if (known == null) {
      TopologyGraph described = described(application);
      graph = described;
      known = planned(described, before).after(earlierVersions).withStarts(starts);
      plan = known;
      createTopics(known);
    }
    return known;
  }

  /// Returns the topology of an application, with the topics there are.
  TopologyGraph described(StreamApplication described) {
    return TopologyGraph.of(described)
        .withTopics(
            pattern -> settings.streams().stream().filter(pattern.choice()::has).sorted().toList());
  }

  /// Returns a plan, made from the topics there are, whose containers are not started yet.
  ///
  /// @param earlier the plan that it goes on from; null if there is none
  Plan planned(TopologyGraph described, @Nullable PlanDescription earlier) {
    Map<String, Integer> partitions = new TreeMap<>();
    try (Sources sources = Sources.connect(described)) {
      partitions.putAll(sources.externalSplits());
    }
    world
        .log()
        .topics(settings.streams())
        .forEach((name, info) -> partitions.put(name, info.partitions()));
    return Planner.plan(application.name(), described, partitions, earlier)
        .withSizes(settings.engine().state().sizes());
  }

  private void createTopics(Plan needed) {
    Topics.missing(world.log(), Topics.needed(needed, settings.engine().errors()))
        .forEach(world.log()::createTopic);
    if (settings.placing() == Placing.BY_COORDINATOR) {
      world.log().createTopic(Decisions.topic(needed.storage()));
      world.log().createTopic(Signs.topic(needed.storage()));
    }
    widenChangelog(needed);
  }

  private void widenChangelog(Plan needed) {
    String changelog = needed.changelogTopic();
    int has = Objects.requireNonNull(world.log().partitions(List.of(changelog)).get(changelog));
    if (has < needed.slots()) {
      world.log().addPartitions(changelog, needed.slots());
    }
  }

  /// Has a task be split: another one is there from now on, which gets half of its keys.
  ///
  /// @return its number
  int addPart(int task) {
    String changelog = plan().changelogTopic();
    int number = Objects.requireNonNull(world.log().partitions(List.of(changelog)).get(changelog));
    world.log().addPartitions(changelog, number + 1);
    plan().splits().add(number, task);
    return number;
  }

  CrashPoints crashPoints() {
    return crashPoints;
  }

  int size() {
    return containers.size();
  }

  Container container(int index) {
    return containers.get(index);
  }

  void startAll() {
    Plan planned = plan();
    for (Container container : containers) {
      var launch = new Container.Launch(own(planned), Objects.requireNonNull(graph), settings);
      boolean ran = container.engine() != null;
      container.start(launch);
      if (!ran && mover != null) {
        mover.started(container);
      }
    }
  }

  /// The containers, and the processes that others have taken the place of.
  List<Container> everybody() {
    List<Container> all = new ArrayList<>(containers);
    all.addAll(zombies);
    return all;
  }

  /// The containers, but not the processes that others have taken the place of.
  List<Container> inPlace() {
    return containers;
  }

  /// The members that have the containers.
  private List<Self> members() {
    List<Self> members = new ArrayList<>();
    for (Container container : containers) {
      Self member = container.member();
      if (member != null) {
        members.add(member);
      }
    }
    return members;
  }

  /// Starts a container with a plan of its own, unless it runs.
  void start(int index, Plan own, TopologyGraph described) {
    createTopics(own);
    containers.get(index).start(new Container.Launch(own, described, settings));
  }

  void stopAll() {
    containers.forEach(Container::stop);
  }

  /// Puts another process on another host in a container's place. The one that was there goes on,
  /// and does not know.
  ///
  /// @param sleepsUntil the step before which the old one stands still
  void replace(int index, long sleepsUntil) {
    Container old = containers.get(index);
    if (old.engine() != null) {
      old.sleepUntil(sleepsUntil);
      zombies.add(old);
    }
    earlier.addAll(old.failures());
    containers.set(index, onNewHost(index));
    startAll();
  }

  /// Starts a container on another host; the process that was there is gone.
  void moveTo(int index, Host host) {
    earlier.addAll(containers.get(index).failures());
    String name = "container-" + index + "-" + made++;
    containers.set(index, new Container(index, name, host, world, seed, crashPoints));
    startAll();
  }

  /// Distributes the tasks in another way. No container may run, except those that have come to
  /// their end. A container's host keeps what it has, whether or not its tasks are its own now.
  void reshape(int newContainers, int newWorkers, boolean oneGroup) {
    containers.forEach(container -> container.crash(false, false));
    while (containers.size() > newContainers) {
      earlier.addAll(containers.removeLast().failures());
    }
    settings = settings.withShape(newContainers, newWorkers, oneGroup);
    if (directIfItCan && newContainers == 1) {
      settings = settings.withShape(1, newWorkers, Groups.DIRECT);
    }
    grow();
  }

  boolean allRun() {
    return containers.stream().allMatch(container -> container.engine() != null);
  }

  /// Whether nothing runs that has anything to do.
  boolean allStand() {
    return containers.stream()
        .allMatch(container -> container.engine() == null || container.completed());
  }

  /// Whether the job has come to its end: that of its inputs, or else where whatever is outside of
  /// it says so and every container runs.
  boolean completed() {
    if (settings.placing().moves()) {
      return allRun() && plan().tasks().stream().allMatch(this::hasEnded);
    }
    return application instanceof Outside outside && outside.isOver()
        ? allRun()
        : containers.stream().allMatch(Container::completed);
  }

  /// The failures that containers ended with so far.
  List<Failure> failures() {
    List<Failure> all = new ArrayList<>(earlier);
    containers.forEach(container -> all.addAll(container.failures()));
    return all;
  }

  /// Draws the one whose turn it is at a step. What is outside of the job goes on as well.
  Container nextInTurn(long step) {
    if (application instanceof Outside outside) {
      outside.goOn();
    }
    if (mover != null) {
      mover.step(step);
    }
    if (settings.placing() == Placing.BY_COORDINATOR) {
      wishes.step(step, plan(), this::members);
    }
    zombies.removeIf(zombie -> hasEnded(zombie, step));
    int awake = 0;
    for (Container zombie : zombies) {
      awake += zombie.awake(step) ? 1 : 0;
    }
    int drawn = seed.below(containers.size() + awake);
    if (drawn < containers.size()) {
      return containers.get(drawn);
    }
    return zombies.stream()
        .filter(zombie -> zombie.awake(step))
        .skip(drawn - containers.size())
        .findFirst()
        .orElseThrow();
  }

  /// The plan as a process has it that hears from the coordinator what was split.
  private Plan own(Plan planned) {
    return settings.placing() != Placing.BY_COORDINATOR
        ? planned
        : new Plan(
            planned.application(),
            planned.storage(),
            planned.description(),
            planned.version(),
            new SplitTasks(planned.slots()),
            planned.stages(),
            planned.exchanges(),
            planned.followed(),
            planned.renames(),
            planned.sizes(),
            planned.starts(),
            planned.written());
  }

  /// Leaves tasks where they are from now on, if they are anywhere.
  void calm() {
    if (mover != null) {
      mover.calm();
    }
  }

  /// Whether a task has come to its end with one that has it.
  private boolean hasEnded(Plan.TaskId task) {
    for (Container container : everybody()) {
      Engine engine = container.engine();
      if (engine != null && hasEnded(task, engine)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasEnded(Plan.TaskId task, Engine engine) {
    HeldTask held = engine.held().get(task.number());
    TaskMetrics metrics = engine.taskMetrics().get(task);
    return held != null
        && held.stage() == HeldTask.Stage.OWNED
        && metrics != null
        && metrics.ended();
  }

  /// Whether a process that another one has the place of runs no more. Where tasks move it would be
  /// one more container: it ends some time after it has woken up.
  private boolean hasEnded(Container zombie, long step) {
    Engine engine = zombie.engine();
    if (engine != null && settings.placing().moves() && zombie.awake(step)) {
      if (seed.chance(ENDS)) {
        zombie.leave();
      }
      if (engine.held().isEmpty() && zombie.hasLeft()) {
        zombie.crash(false, false);
      }
    }
    return zombie.engine() == null;
  }

  /// Ends every process that still runs.
  void endAll() {
    containers.forEach(container -> container.crash(false, false));
    zombies.forEach(container -> container.crash(false, false));
    zombies.clear();
  }

  /// Where everybody stands, for messages.
  String state() {
    StringBuilder text = new StringBuilder();
    containers.forEach(container -> text.append(container.state()));
    if (mover != null) {
      text.append(mover.state());
    }
    return text.toString();
  }
}
