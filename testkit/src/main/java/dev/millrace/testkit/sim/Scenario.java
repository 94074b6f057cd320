package dev.millrace.testkit.sim;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.spi.Log;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.sim.SimulationSettings.Placing;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A kind of job. A seed gives the job itself, its input, what must come of it, and how it is
/// crashed.
public final class Scenario {
  private static final double CRASHES = 0.003;

  /// More of them take long in real time: each costs a second or two until all goes on.
  private static final int MOST_REAL_CRASHES = 4;

  private final String name;
  private final @Nullable Draw draw;
  private final @Nullable Whole whole;

  /// Draws a job.
  @FunctionalInterface
  interface Draw {
    /// @param prefix of the names of the application and its topics
    DrawnJob job(long seed, String prefix);
  }

  /// Runs a simulation of its own, which need not come to an end.
  @FunctionalInterface
  interface Whole {
    /// @throws AssertionError if what came of it is not what must come
    void run(long seed, Hosts hosts);
  }

  Scenario(String name, Draw draw) {
    this.name = name;
    this.draw = draw;
    whole = null;
  }

  private Scenario(Whole whole, String name) {
    this.name = name;
    draw = null;
    this.whole = whole;
  }

  /// All there are.
  public static List<Scenario> all() {
    return List.of(
        new Scenario("sums", SumsJob::drawn),
        new Scenario("topologies", TopologyJob::drawn),
        new Scenario("at-least-once", SumsJob::atLeastOnce),
        new Scenario("deliveries", ShopJob::drawn),
        new Scenario("bad-records", BadRecordsJob::drawn),
        new Scenario("bad-runs", BadRunsJob::drawn),
        new Scenario("notes", NotesJob::drawn),
        new Scenario("lookups", LookupJob::drawn),
        new Scenario("views", ViewsJob::drawn),
        new Scenario("as-of", TopologyJob::asOf),
        new Scenario("across", TopologyJob::across),
        new Scenario("silences", SilencesJob::drawn),
        new Scenario("moves", (seed, prefix) -> MovingJob.drawn(seed, prefix, Placing.AT_RANDOM)),
        new Scenario(
            "cluster", (seed, prefix) -> MovingJob.drawn(seed, prefix, Placing.BY_COORDINATOR)),
        new Scenario(
            "direct-sums", (seed, prefix) -> DirectJob.of(SumsJob.drawn(seed, prefix), seed)),
        new Scenario(
            "direct-lookups", (seed, prefix) -> DirectJob.of(LookupJob.drawn(seed, prefix), seed)),
        new Scenario(
            "direct-views", (seed, prefix) -> DirectJob.of(ViewsJob.drawn(seed, prefix), seed)),
        new Scenario(
            "direct-across",
            (seed, prefix) -> DirectJob.of(TopologyJob.across(seed, prefix), seed)),
        new Scenario(
            "direct-topologies",
            (seed, prefix) -> DirectJob.of(TopologyJob.withoutFailures(seed, prefix), seed)));
  }

  /// Those that run on a real log, too: what the others write while they run goes to the model.
  public static List<Scenario> onRealLogs() {
    return all().stream().filter(each -> !each.name.equals("silences")).toList();
  }

  /// The one of a name: of [#all], or one that is a simulation of its own.
  public static Scenario named(String name) {
    return Stream.concat(all().stream(), ofTheirOwn().stream())
        .filter(each -> each.name.equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Scenario> ofTheirOwn() {
    return List.of(
        new Scenario(GrownInput::run, GrownInput.NAME),
        new Scenario(Resets::run, Resets.NAME),
        new Scenario(Versions::run, Versions.NAME),
        new Scenario(Rollouts::run, Rollouts.NAME));
  }

  /// By which it is chosen.
  public String name() {
    return name;
  }

  /// The job of a seed.
  ///
  /// @param prefix of the names of the application and its topics
  DrawnJob draw(long seed, String prefix) {
    return Objects.requireNonNull(draw, name).job(seed, prefix);
  }

  /// The crashes that belong to a seed.
  public CrashSchedule schedule(long seed) {
    return CrashSchedule.drawn(new Seed(seed), CRASHES);
  }

  /// Runs it to its end, on models alone.
  ///
  /// @throws AssertionError if what came of it is not what must come
  public Seen run(long seed, CrashSchedule schedule) {
    try (Hosts hosts = Hosts.models()) {
      return run(seed, schedule, hosts);
    }
  }

  /// Runs it to its end.
  ///
  /// @param hosts where the local state is kept
  /// @throws AssertionError if what came of it is not what must come
  public Seen run(long seed, CrashSchedule schedule, Hosts hosts) {
    if (whole != null) {
      whole.run(seed, hosts);
      return new Seen(0, 0, new CrashPoints());
    }
    return run(seed, schedule, draw(seed, ""), hosts);
  }

  /// Runs it to its end on a real log and in real time. Only the first crashes of the schedule are
  /// carried out. Waits; may be called by several threads for several seeds.
  ///
  /// @param log as the test sees it
  /// @param connect gives a process a log of its own
  /// @throws AssertionError if what came of it is not what must come
  public Seen runOn(
      Log log, Function<String, Log> connect, long seed, CrashSchedule schedule, Hosts hosts) {
    DrawnJob job = draw(seed, "s" + seed + "-");
    RealRun run = new RealRun(seed, job.application(), job.settings(), log, connect, hosts);
    RealTopics topics = new RealTopics(log);
    topics.create(job.topics());
    String application = run.plan().application();
    topics.write(application + "-input", job.input());
    job.foreign().open(log, RealTopics::pause);
    try {
      Chaos.run(run, seed, schedule.first(MOST_REAL_CRASHES), false);
      requireNothingLate(run.cluster());
    } finally {
      run.endAll();
    }
    // What was killed last may have left something open, and nobody comes after it.
    log.fence(log.transactionalIds(Placement.idPrefix(application)));
    Written written = topics.read(run.plan(), job);
    job.requireExact(written);
    StateCheck.requireReplayable(run.cluster(), written);
    return new Seen(run.steps(), 0, run.cluster().crashPoints());
  }

  private static Seen run(long seed, CrashSchedule schedule, DrawnJob job, Hosts hosts) {
    Simulation simulation = Simulation.prepared(seed, job, job.settings(), hosts);
    try {
      Chaos.run(simulation, seed, schedule, hasFaults(seed));
      simulation.log().advance(Duration.ofSeconds(5));
      requireMendable(simulation.cluster(), hasFaults(seed));
      requireAllRight(simulation, job);
      // What a process that died last had open is given up by the log when its time is over.
      simulation
          .log()
          .advance(job.settings().engine().commit().transactionTimeout().plusSeconds(1));
      StateCheck.requireNothingOpen(simulation.log(), topics(simulation, job));
      return new Seen(simulation.steps(), simulation.log().traceHash(), simulation.crashPoints());
    } catch (RuntimeException | AssertionError e) { // outermost: any failure is one of the seed
      throw new AssertionError("seed " + seed + " " + job.settings() + ": " + e.getMessage(), e);
    }
  }

  private static void requireAllRight(Simulation simulation, DrawnJob job) {
    requireNothingLate(simulation.cluster());
    Written written = Written.by(simulation);
    job.requireExact(written);
    job.requireCounted(passedOver(simulation.cluster()));
    if (simulation.cluster().settings().placing().moves()) {
      StateCheck.requireClaimsOfOwners(simulation);
    }
    simulation.cluster().endAll();
    simulation.log().advance(Duration.ofSeconds(1)); // the markers of what was committed last
    StateCheck.requireReplayable(simulation.cluster(), written);
  }

  private static long passedOver(Cluster cluster) {
    long count = 0;
    for (int i = 0; i < cluster.size(); i++) {
      Engine engine = Objects.requireNonNull(cluster.container(i).engine());
      count += engine.taskMetrics().values().stream().mapToLong(TaskMetrics::skipped).sum();
    }
    return count;
  }

  /// Inputs are drawn so that no record is late, and no crash may make one so.
  static void requireNothingLate(Cluster cluster) {
    for (int i = 0; i < cluster.size(); i++) {
      Engine engine = Objects.requireNonNull(cluster.container(i).engine());
      engine
          .taskMetrics()
          .forEach((task, metrics) -> {
            if (metrics.late() > 0) {
              throw new AssertionError(metrics.late() + " records came late to task " + task + ".");
            }
          });
    }
  }

  /// Going back to the last commit or another start mends whatever goes wrong here. Where the log
  /// has faults, several of them in a row may end a container too.
  private static void requireMendable(Cluster cluster, boolean faults) {
    for (Failure failure : cluster.failures()) {
      boolean mendable =
          switch (failure.kind()) {
            case MENDABLE, PROGRESS, FENCED -> true;
            case BAD_INPUT, SETUP, NO_SPACE -> false;
            case FINAL -> faults && failure.message().contains("repeatedly");
          };
      if (!mendable) {
        throw new AssertionError("A container ended with " + failure, failure.cause());
      }
    }
  }

  private static Set<String> topics(Simulation simulation, DrawnJob job) {
    Set<String> topics = new TreeSet<>(job.topics().keySet());
    Topics.needed(simulation.plan(), job.settings().engine().errors())
        .forEach(topic -> topics.add(topic.name()));
    return topics;
  }

  /// Whether the log has faults under a seed, as it has under half of them.
  static boolean hasFaults(long seed) {
    return new Seed(seed).fork("faults or not").coin();
  }

  /// Compares what was written to some place with what must stand there.
  ///
  /// @throws AssertionError if they differ
  static void requireEqual(String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("In " + where + " expected " + expected + " but found " + found);
    }
  }

  /// What a run was like.
  ///
  /// @param traceHash of everything that happened in the log; the same for the same seed and
  ///   schedule, in every process
  public record Seen(long steps, long traceHash, CrashPoints crashPoints) {}
}
