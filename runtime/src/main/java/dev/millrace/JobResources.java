package dev.millrace;

import dev.millrace.api.StreamApplication;
import dev.millrace.config.ClusterConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.EngineHands;
import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Presence;
import dev.millrace.spi.settings.StateConfig.Storage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The resources of a job while it runs: the log, the local state, the part in the application, and
/// the engine that uses them.
final class JobResources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobResources.class);

  /// The pause between two looks at what is read from the log.
  private static final Duration LOOK = Duration.ofMillis(1);

  /// How long the first processes of an application wait for others before anything is placed.
  private static final Duration SETTLE = Duration.ofMillis(500);

  /// The kind of bundles of which each is a task.
  private static final String TASKS = "tasks";

  /// The kind of bundles of which one has all tasks.
  private static final String WHOLE = "whole";

  /// The first level of the formats that processes exchange which this one reads; the last one is
  /// that of tasks that were split.
  private static final int LEAST_FORMAT = 1;

  private final ApplicationName application;

  private final JobConfig config;
  private final Clock clock = Clock.system();

  /// Each call to another system has a thread of its own.
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

  private final MemoryBudget budget;
  private final LogConnection connection;
  private final Sources sources;
  private final Plan plan;
  private final TopicPatterns patterns;
  private final ApplicationNames.Found recordedAtPlan;
  private final String changelogId;
  private final Home home;
  private final SpaceForStart space;
  private final KafkaForStart broker;
  private final @Nullable SnapshotFolder snapshots;
  private @Nullable ToldState told;
  private @Nullable Membership membership;
  private @Nullable Disks disks;

  /// @param local the log in memory that the program has; null if it has none
  /// @param space waits where the disk is full
  /// @param broker waits where Kafka does not answer
  JobResources(
      StreamApplication application,
      JobConfig config,
      @Nullable LocalLog local,
      SpaceForStart space,
      KafkaForStart broker) {
    this.broker = broker;
    this.config = config.log().isInMemory() ? MemoryConnection.fromEarliest(config) : config;
    this.space = space;
    TopologyGraph graph = TopologyGraph.of(application);
    budget =
        MemoryBudget.of(
            config.memory(), ProcessMemory.of(config.memory()), config.placement().workers());
    connection =
        config.log().isInMemory()
            ? MemoryConnection.open(config, local)
            : KafkaConnection.open(
                application.name(),
                config,
                budget.shares().client().withRecords(config.state().sizes().largest()));
    broker.connected();
    Sources connected = null;
    boolean complete = false;
    try {
      connected = Sources.connect(graph);
      sources = connected;
      ApplicationNames.Found found =
          broker.await(() -> names(connection.log()).find(application.name()).require());
      this.application = found.application();
      home = space.await(() -> home(found.application()));
      JobTopics topics = new JobTopics(connection.log(), sources, graph, this.config);
      JobTopics.Planned planned = broker.await(() -> topics.plan(found, settings()));
      PlanDescription own = planned.plan().description();
      plan = planned.plan().before(version -> recorded().isRolledOut(version, own));
      patterns = planned.patterns();
      recordedAtPlan = planned.recorded();
      GroupOffsets.look(connection.log(), this.application);
      changelogId = planned.changelogId();
      snapshots = SnapshotFolder.of(config.snapshots(), application.name());
      complete = true;
    } finally {
      if (!complete) {
        try (connection;
            Sources _ = connected) {}
      }
    }
  }

  private Home home(ApplicationName name) {
    return config.log().isInMemory()
        ? new MemoryHome()
        : new StateHome(config.state().directory(), name.storage(), budget.shares().blocks());
  }

  private ApplicationNames names(Log log) {
    return new ApplicationNames(log, clock, JobResources::pause);
  }

  private static void pause() {
    LockSupport.parkNanos(LOOK.toNanos());
  }

  Plan plan() {
    return plan;
  }

  /// Returns the topics that match a pattern by which the job reads, and are not read, by the
  /// pattern. Waits for Kafka. Thread-safe.
  SortedMap<String, String> unreadTopics() {
    return patterns.unread(plan);
  }

  /// Returns what says which containers run another version of the program.
  OtherVersions otherVersions() {
    return new OtherVersions(application.name(), plan.description(), () -> recorded().byHash());
  }

  /// Returns what tells the plan when the change that leads to it is finalized.
  RolloutWatch rolloutWatch() {
    return new RolloutWatch(
        application.name(),
        plan.description(),
        plan.written().finalization(),
        plan.written().isForOlder(),
        this::recorded);
  }

  private Recorded recorded() {
    return VersionLog.recorded(application.storage(), connection.log(), clock, JobResources::pause);
  }

  /// Refuses a version that is not wanted any more since the plans were compared. To be called once
  /// the process shows that it lives. Waits for the log.
  void requireWanted() {
    boolean wanted =
        broker.await(() ->
            VersionLog.mayBegin(
                recordedAtPlan, plan.description(), connection.log(), clock, JobResources::pause));
    if (!wanted) {
      throw new JobStartException(
          "While this process started, a change of application '%s' was accepted, finalized or rolled back, or that is about to happen. So the version that it runs is not wanted any more. Start the one that is; 'millrace deploy status %s' shows it."
              .formatted(application.name(), application.name()));
    }
  }

  /// Returns how large the state on disk is. Thread-safe.
  long diskBytes() {
    return home.bytes();
  }

  /// Takes a place in the state directory. Waits for space.
  ///
  /// @return the name of this process, which no other one has at the same time
  String hold() {
    // Held in any case: of two processes only one may have the place.
    Disks held = space.await(home::hold);
    OwnerFile.Owner owner = owner();
    space.awaitDone(() -> home.belongsTo(owner));
    disks = config.state().storage() == Storage.MEMORY ? new MemoryDisks() : held;
    told =
        new ToldState(
            application.storage(),
            home.member(),
            plan.tasks().size(),
            config.placement().workers(),
            connection.log(),
            clock);
    LOG.info("Memory: {}.", budget.describe());
    budget.warnings(config.memory()).forEach(warning -> LOG.warn("{}", warning));
    budget.warnings(config.state().sizes().largest()).forEach(warning -> LOG.warn("{}", warning));
    return home.member();
  }

  /// Returns an engine without tasks.
  Engine engine(UnaryOperator<Surroundings> around) {
    Placement placement =
        Placement.ofMember(
            home.member(), config.placement().workers(), Placement.Groups.OF_WORKERS);
    return engine(around, placement);
  }

  /// Returns an engine with all tasks.
  ///
  /// @param version of the decision
  Engine engineOfAll(UnaryOperator<Surroundings> around, long version) {
    Placement placement = Placement.ofAll(home.member(), config.placement().workers(), version);
    return engine(around, placement);
  }

  private Engine engine(UnaryOperator<Surroundings> around, Placement placement) {
    MemoryLimits limits = budget.shares().limits(plan.tasks().size());
    Surroundings surroundings =
        around.apply(
            new Surroundings(
                connection.log(),
                Objects.requireNonNull(disks),
                clock,
                sources,
                calls,
                snapshots == null ? null : snapshots.settings()));
    return broker.await(() -> new Engine(plan, placement, settings(), limits, surroundings));
  }

  /// Returns the metrics of an engine's use of the budget.
  MemoryMetrics memory(Engine engine) {
    Disks chosen = Objects.requireNonNull(disks);
    return new MemoryMetrics(engine, budget, chosen::memoryBytes);
  }

  private OwnerFile.Owner owner() {
    return new OwnerFile.Owner(
        application.storage(), connection.log().clusterId(), plan.changelogTopic(), changelogId);
  }

  /// Ends the copying of snapshots, so that no worker waits for one. Thread-safe.
  void endSnapshots() {
    if (snapshots != null) {
      snapshots.end();
    }
  }

  /// Returns whether one process has all tasks, because they exchange records through its memory.
  boolean isWhole() {
    return config.placement().exchanges() == PlacementConfig.Exchanges.DIRECT;
  }

  /// Returns what tells how large the state is; there once this process [has a place][#hold].
  ToldState told() {
    return Objects.requireNonNull(told);
  }

  /// Becomes a member of the application.
  ///
  /// @param engine whose tasks come and go
  /// @param httpPort where metrics are served; negative if they are not
  Membership membership(Engine engine, int httpPort) {
    return membership(
        TASKS,
        Bundles.of(plan.tasks().stream().map(Plan.TaskId::number).toList()),
        new EngineHands(
            engine,
            new StoredTasks(plan, Objects.requireNonNull(disks), clock),
            clock,
            config.topics().create()),
        new DividedMemory(engine, budget.shares()),
        httpPort);
  }

  /// Becomes a member of an application of whose members one has all tasks.
  ///
  /// @param httpPort where metrics are served; negative if they are not
  Membership membership(WholeJob whole, int httpPort) {
    return membership(WHOLE, Bundles.of(List.of(WholeJob.BUNDLE)), whole, () -> {}, httpPort);
  }

  private Membership membership(
      String kind, Bundles bundles, Hands hands, Runnable shares, int httpPort) {
    String host = StateHome.host();
    String http = httpPort < 0 ? "" : config.http().reachedAt(host) + ":" + httpPort;
    Self self =
        new Self(
            home.member(),
            ThreadLocalRandom.current().nextLong(),
            home.name(),
            host,
            config.placement().rack(),
            config.placement().workers(),
            LEAST_FORMAT,
            Part.FORMAT,
            kind,
            bundles,
            new Self.Running(
                ProcessHandle.current().pid(), clock.millis(), http, plan.description().hash()));
    Member member =
        new Member(application.storage(), self, hands, connection.log(), clock, presence());
    Coordinator coordinator =
        new Coordinator(
            new Coordinator.Scope(application.storage(), policy(), SETTLE),
            member,
            connection.log(),
            clock,
            new SplittableRandom());
    Membership made =
        new Membership(application.name(), member, coordinator, clock, shares, httpPort >= 0);
    membership = made;
    return made;
  }

  /// Returns what is known of who lives besides what they say, if the job is to know more.
  private Presence presence() {
    String membership = config.cluster().membership();
    if (membership.equals(ClusterConfig.KAFKA)) {
      return Presence.none();
    }
    for (Presence.Provider each : ServiceLoader.load(Presence.Provider.class)) {
      if (each.name().equals(membership)) {
        try {
          return each.open(application.storage(), config.cluster().properties());
        } catch (IllegalArgumentException e) {
          throw new JobStartException(String.valueOf(e.getMessage()));
        }
      }
    }
    throw new JobStartException(
        ("cluster.membership is '%s', which needs the dependency"
                + " dev.millrace:millrace-cluster-%s:%s on the class path. With kafka nothing is"
                + " needed.")
            .formatted(membership, membership, BuildVersion.version()));
  }

  private Policy policy() {
    return Policy.defaults()
        .withStandbys(config.placement().standbys())
        .withAffinityWait(config.placement().affinityWait())
        .withHotSplits(config.placement().hotSplits());
  }

  private EngineSettings settings() {
    return new EngineSettings(
        config.commit(),
        config.state(),
        config.recovery(),
        config.input(),
        config.errors().named(application.storage()));
  }

  /// Releases in reverse order: the part in the application, the snapshots, the state, the log.
  @Override
  public void close() {
    calls.shutdownNow();
    Membership left = membership;
    ToldState telling = told;
    try (connection;
        sources;
        home;
        snapshots;
        telling;
        left) {}
  }
}
