package dev.millrace;

import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.SizeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks the existing topics of a job, creates the plan, and creates missing topics or names them.
/// Nothing is created before all existing topics are found to be correct, and the plan to fit the
/// existing state.
final class JobTopics {
  private static final Logger LOG = LoggerFactory.getLogger(JobTopics.class);

  /// Patience for topics that must exist: a broker may not know a topic yet that was just created.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Log log;
  private final Sources external;
  private final TopologyGraph described;
  private final boolean create;
  private final RecoveryConfig recovery;
  private final boolean inMemory;
  private final SizeLimits sizes;

  /// The code of a change that was accepted; empty for none.
  private final String accepted;

  JobTopics(Log log, Sources external, TopologyGraph graph, JobConfig config) {
    this.log = log;
    this.external = external;
    described = graph;
    create = config.topics().create();
    recovery = config.recovery();
    inMemory = config.log().isInMemory();
    sizes = config.state().sizes();
    accepted = config.change().accept();
  }

  /// A plan whose topics all exist.
  ///
  /// @param changelogId of its changelog topic
  /// @param patterns by which it reads
  /// @param recorded what was known of the application when the plan was admitted
  record Planned(
      Plan plan, String changelogId, TopicPatterns patterns, ApplicationNames.Found recorded) {}

  /// Creates the plan. Each request to the log costs a start about ten milliseconds, so there are
  /// as few as possible.
  ///
  /// @param found the application, with what is recorded of it
  /// @throws JobStartException that says everything that is wrong, before anything is created
  Planned plan(ApplicationNames.Found found, EngineSettings settings) {
    ApplicationName application = found.application();
    TopicPatterns patterns = new TopicPatterns(application, described, settings.errors(), log);
    TopologyGraph graph = patterns.resolved();
    Map<String, TopicSettings> sources = new LinkedHashMap<>();
    Map<String, TopicSettings> sinks = new LinkedHashMap<>();
    collect(graph, sources, sinks);
    List<TopicSpec> specs = new ArrayList<>();
    Map<String, Integer> partitions = new TreeMap<>(external.externalSplits());
    Set<String> named = new TreeSet<>(sources.keySet());
    named.addAll(sinks.keySet());
    String storage = application.storage();
    String versionsTopic = VersionLog.topic(storage).name();
    named.add(versionsTopic);
    Set<String> required = new TreeSet<>();
    sources.values().stream()
        .filter(source -> source.partitions() == 0)
        .forEach(source -> required.add(source.name()));
    String changelogName = Plan.changelogTopic(storage);
    named.add(changelogName);
    Map<String, TopicInfo> existing = find(log, named, required, PATIENCE);
    StartPositions starts = new StartPositions(application.name(), graph, settings.input());
    TopicInfo written = existing.remove(changelogName);
    sayWhetherStartCounts(application.name(), settings.input(), written != null);
    boolean known = existing.containsKey(versionsTopic);
    // What is known may say where it begins, and is not read yet.
    requireSources(required, existing, written == null && !known ? starts.problems() : List.of());
    for (TopicSettings source : sources.values()) {
      TopicInfo info = existing.get(source.name());
      partitions.put(source.name(), info == null ? source.partitions() : info.partitions());
      // Partitions may be added to the topic of an application that has run.
      boolean more = known && info != null && info.partitions() > source.partitions();
      specs.add(spec(source, more ? 0 : source.partitions()));
    }
    int widest = partitions.values().stream().mapToInt(each -> each).max().orElse(1);
    sinks.keySet().removeAll(sources.keySet());
    for (TopicSettings sink : sinks.values()) {
      boolean exists = existing.containsKey(sink.name());
      specs.add(spec(sink, exists || sink.partitions() > 0 ? sink.partitions() : widest));
    }
    specs.addAll(ofEveryPlan(storage));
    Function<@Nullable PlanDescription, Plan> planner =
        before ->
            Planner.plan(storage, graph, partitions, before)
                .named(application.name())
                .withSizes(sizes);
    try (JobVersions versions = new JobVersions(log, found, planner, accepted)) {
      Agreed agreed =
          agreed(
              versions,
              known,
              plan -> needed(specs, plan, settings),
              (given, newInputs) -> begins(starts, given, written, newInputs));
      return new Planned(agreed.plan(), changelogId(agreed), patterns, versions.known());
    }
  }

  /// Returns the topics that an application has whatever its plan.
  private static List<TopicSpec> ofEveryPlan(String storage) {
    return List.of(Signs.topic(storage), Decisions.topic(storage), VersionLog.topic(storage));
  }

  /// Returns the id of the changelog topic, after it was set to be compacted.
  private String changelogId(Agreed agreed) {
    String name = agreed.plan().changelogTopic();
    TopicInfo changelog = agreed.existed().get(name);
    if (changelog == null) {
      changelog = Objects.requireNonNull(log.topics(List.of(name)).get(name));
    }
    compaction(changelog);
    return changelog.id();
  }

  /// All topics of a plan.
  private static List<TopicSpec> needed(
      List<TopicSpec> others, Plan plan, EngineSettings settings) {
    List<TopicSpec> specs = new ArrayList<>(others);
    specs.addAll(Topics.needed(plan, settings.errors()));
    return specs;
  }

  /// Returns the problems of the positions where the application begins. Which tasks have written
  /// is known only while there are as many.
  ///
  /// @param written its changelog; null if there is none
  /// @param newInputs what the plan before did not read
  private List<String> begins(
      StartPositions starts, Plan plan, @Nullable TopicInfo written, SortedSet<String> newInputs) {
    if (written == null) {
      return starts.problems(plan);
    }
    List<String> ofNew = starts.problems(newInputs);
    return ofNew.isEmpty() && written.partitions() == plan.slots()
        ? starts.problems(log, plan, written)
        : ofNew;
  }

  private static void sayWhetherStartCounts(String application, InputConfig input, boolean hasRun) {
    if (hasRun && input.start() != null) {
      LOG.info(
          "'{}' has run before and continues at its committed positions: input.start (--start)"
              + " applies only to inputs that are read for the first time.",
          application);
    }
  }

  private void requireSources(
      Set<String> required, Map<String, TopicInfo> existing, List<String> starts) {
    List<String> problems = new ArrayList<>();
    for (String source : required) {
      if (!existing.containsKey(source)) {
        String text =
            inMemory
                ? "Topic '%1$s', which the application reads, does not exist in the log in memory."
                    + " Create it with LocalLog.createTopic before the start, or declare"
                    + " .partitions(n) in the application."
                : "Topic '%1$s', which the application reads, does not exist. Create it, for"
                    + " example with 'millrace topics create %1$s --partitions 4', or declare"
                    + " .partitions(n) in the application.";
        problems.add(text.formatted(source));
      }
    }
    if (!problems.isEmpty()) {
      problems.addAll(starts);
      throw new JobStartException(String.join("\n", problems));
    }
  }

  private static void sayAdded(Plan plan) {
    for (Plan.Exchange exchange : plan.exchanges()) {
      if (!exchange.node().reason().isEmpty()) {
        LOG.info("Exchange '{}' was added, {}.", exchange.node().name(), exchange.node().reason());
      }
    }
  }

  /// @param plan which begins where a person has said
  /// @param existed the topics that existed before
  private record Agreed(Plan plan, Map<String, TopicInfo> existed) {}

  /// Creates missing topics if the plan fits the recorded one, and records the plan.
  ///
  /// @param known whether the topic exists where plans are recorded
  /// @param needed the topics of a plan
  /// @param begins what is wrong with where the application begins, given the plan and what the one
  ///   before did not read
  private Agreed agreed(
      JobVersions versions,
      boolean known,
      Function<Plan, List<TopicSpec>> needed,
      BiFunction<Plan, SortedSet<String>, List<String>> begins) {
    if (known) {
      check(versions);
    }
    Plan plan = versions.plan();
    sayAdded(plan);
    if (versions.hasMoreTasks()) {
      SplitOffTasks.requireNone(log, plan);
    }
    SortedSet<String> newInputs = versions.newInputs();
    Map<String, TopicInfo> existed =
        ensure(plan, versions.isFirst(), needed.apply(plan), begins.apply(plan, newInputs));
    if (!newInputs.isEmpty()) {
      LOG.info(
          "'{}' goes on from its state and reads {} besides, for the first time.",
          plan.application(),
          newInputs);
    }
    requireAlone(versions, plan);
    versions.record();
    Plan recorded = versions.plan();
    if (!recorded.description().equals(plan.description())) {
      // Another process has recorded one meanwhile, after which this one has other numbers.
      existed = ensure(recorded, versions.isFirst(), needed.apply(recorded), List.of());
    }
    versions.sayDeployment();
    return new Agreed(recorded, existed);
  }

  /// Refuses a plan that the one before cannot read while processes run that.
  private void requireAlone(JobVersions versions, Plan plan) {
    if (versions.unreadable().isEmpty()) {
      return;
    }
    SortedSet<String> living =
        new TreeSet<>(
            new Census(
                    plan.storage(),
                    log,
                    Clock.system(),
                    () -> LockSupport.parkNanos(PAUSE.toNanos()))
                .living()
                .keySet());
    if (!living.isEmpty()) {
      throw new JobStartException(
          "Processes %s of '%s' run the version before, which could not read %s as this one writes them. Stop all of them, and start this one again. It cannot be rolled back then; give the migration a way back to roll it out one process after the other."
              .formatted(living, plan.application(), String.join(" and ", versions.unreadable())));
    }
  }

  /// Describes a plan that differs because of numbers of partitions, which no other program can
  /// correct.
  private void check(JobVersions versions) {
    try {
      versions.check();
    } catch (PlanRefusedException e) {
      if (!e.isOfPartitions()) {
        throw e;
      }
      Plan plan = versions.plan();
      List<String> own = new ArrayList<>(List.of(plan.changelogTopic()));
      plan.exchanges().forEach(exchange -> own.add(exchange.topic()));
      List<String> former = FormerPartitions.refusal(log, plan, log.topics(own), true);
      if (former.isEmpty()) {
        throw e;
      }
      throw new JobStartException(String.join("\n", former));
    }
  }

  /// Reads the descriptions of topics, repeatedly for a while if some that must exist do not.
  ///
  /// @return those there are
  static Map<String, TopicInfo> find(
      Log log, Set<String> named, Set<String> required, Duration patience) {
    long begunNanos = System.nanoTime();
    Map<String, TopicInfo> found = log.topics(named);
    while (!found.keySet().containsAll(required)
        && System.nanoTime() - begunNanos < patience.toNanos()
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(PAUSE.toNanos());
      found = log.topics(named);
    }
    return found;
  }

  /// Changes the settings by which the broker compacts the changelog, or logs how to change them.
  private void compaction(TopicInfo info) {
    String changelog = info.name();
    Map<String, String> differing = new TreeMap<>(recovery.compaction().settings());
    differing
        .entrySet()
        .removeIf(each -> each.getValue().equals(info.settings().get(each.getKey())));
    if (differing.isEmpty()) {
      return;
    }
    if (recovery.manageTopics() || inMemory) {
      LOG.info("Setting {} on the changelog {}.", differing, changelog);
      log.changeSettings(changelog, differing);
    } else {
      LOG.info(
          "A restore without local state reads the whole changelog. To keep it short:"
              + " kafka-configs.sh --alter --topic {} --add-config {}, or set"
              + " recovery.manage-topics, so that Millrace does it.",
          changelog,
          differing.toString().replaceAll("[{} ]", ""));
    }
  }

  private static void collect(
      TopologyGraph graph, Map<String, TopicSettings> sources, Map<String, TopicSettings> sinks) {
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Input input) {
        merge(sources, input.source().topic());
      } else if (node instanceof Node.Output output) {
        merge(sinks, output.sink().topic());
      }
    }
  }

  private static void merge(Map<String, TopicSettings> all, @Nullable TopicSettings settings) {
    if (settings == null) { // several topics, or something outside the log
      return;
    }
    TopicSettings other = all.putIfAbsent(settings.name(), settings);
    if (other != null && other.partitions() == 0) {
      all.put(settings.name(), settings);
    }
  }

  private static TopicSpec spec(TopicSettings settings, int partitions) {
    return new TopicSpec(settings.name(), partitions, -1, settings.settings());
  }

  /// Creates what is missing, and adds partitions to the changelog for tasks that are new.
  ///
  /// @param first whether no plan was recorded
  /// @param starts what is wrong with where the application begins
  /// @return those that existed before
  private Map<String, TopicInfo> ensure(
      Plan plan, boolean first, List<TopicSpec> specs, List<String> starts) {
    Map<String, TopicInfo> existing = log.topics(specs.stream().map(TopicSpec::name).toList());
    List<String> problems = new ArrayList<>(FormerPartitions.refusal(log, plan, existing, first));
    problems.addAll(Topics.problems(existing, FormerPartitions.but(plan, specs)));
    List<TopicSpec> missing =
        specs.stream().filter(spec -> !existing.containsKey(spec.name())).toList();
    if (!create) {
      problems.addAll(mayCreate());
    }
    if (!missing.isEmpty() && !create) {
      problems.add(
          "topics.create is false, and these topics do not exist. Create them, or set topics.create"
              + " to true:");
      missing.forEach(spec -> problems.add("  " + command(spec)));
    }
    TopicInfo changelog = existing.get(plan.changelogTopic());
    boolean grows = changelog != null && changelog.partitions() < plan.slots();
    if (grows && !create && !first) {
      problems.add(
          "topics.create is false, and the changelog needs partitions for tasks that are new: kafka-topics.sh --alter --topic %s --partitions %d"
              .formatted(plan.changelogTopic(), plan.slots()));
    }
    problems.addAll(starts);
    if (!problems.isEmpty()) {
      throw new JobStartException(String.join("\n", problems));
    }
    if (!missing.isEmpty()) {
      log.createTopics(missing);
    }
    if (grows) {
      LOG.info(
          "Adding partitions to {}, for tasks that are new: {} in all.",
          plan.changelogTopic(),
          plan.slots());
      log.addPartitions(plan.changelogTopic(), plan.slots());
    }
    return existing;
  }

  /// Returns the topics that are created when a record first chooses them.
  private List<String> mayCreate() {
    List<String> problems = new ArrayList<>();
    for (Node node : described.nodes()) {
      LogTopics<?> topics = node instanceof Node.Output output ? output.sink().topics() : null;
      if (topics != null && topics.settings().partitions() > 0) {
        problems.add(
            "topics.create is false, but topics '%s' are declared with partitions(n), so they would be created when a record first chooses them. Remove partitions(n), and create the topics yourself."
                .formatted(topics.choice().text()));
      }
    }
    return problems;
  }

  private static String command(TopicSpec spec) {
    StringBuilder command =
        new StringBuilder("kafka-topics.sh --create --topic ")
            .append(spec.name())
            .append(" --partitions ")
            .append(spec.partitions());
    spec.settings()
        .forEach(
            (name, value) -> command.append(" --config ").append(name).append('=').append(value));
    return command.toString();
  }
}
