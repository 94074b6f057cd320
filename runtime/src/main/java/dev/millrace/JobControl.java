package dev.millrace;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StreamApplication;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Controls the life of a job: takes part in the application, starts the engine's workers on their
/// threads, watches them, and releases everything at the end. Runs on the control thread.
final class JobControl {
  private static final Logger LOG = LoggerFactory.getLogger(JobControl.class);

  /// The interval of periodic work.
  private static final Duration SELDOM = Duration.ofSeconds(30);

  /// How often what was read of exchanges is deleted where it takes memory of this process.
  private static final Duration PURGE_MEMORY = Duration.ofMillis(200);

  private static final Duration LOOK = Duration.ofMillis(50);

  /// The same once the job runs. A stop and news of the application end the pause.
  private static final Duration LOOK_RUNNING = Duration.ofMillis(200);

  private static final Duration AWAITED = Duration.ofMillis(2);

  /// The pause before it is tried again to run all tasks, where another process has barred this
  /// one.
  private static final Duration BARRED = Duration.ofMillis(500);

  /// How long the end of a job waits until the other processes know of it.
  private static final Duration LEAVE = Duration.ofSeconds(3);

  private final StreamApplication application;
  private final JobConfig config;
  private final @Nullable LocalLog local;
  private final UnaryOperator<Surroundings> around;
  private final Consumer<JobState> changed;
  private final JobMetrics metrics;
  private final Thread thread;
  private final SpaceForStart space;
  private final KafkaForStart broker;

  private volatile JobState state = JobState.STARTING;
  private volatile boolean stopAsked;

  /// How long whoever has asked for the end waits for it; nothing if nobody waits.
  private volatile Duration stopWithin = Duration.ZERO;

  private volatile boolean killed;
  private volatile @Nullable JobFailure failure;
  private volatile @Nullable Plan plan;
  private volatile String container = "";
  private volatile @Nullable Engine engine;
  private volatile @Nullable Membership membership;
  private volatile boolean restarts;

  /// @param local the log in memory that the program has; null if it has none
  JobControl(
      StreamApplication application,
      JobConfig config,
      @Nullable LocalLog local,
      UnaryOperator<Surroundings> around,
      Consumer<JobState> changed) {
    this.application = application;
    this.config = config;
    this.local = local;
    this.around = around;
    this.changed = changed;
    space = new SpaceForStart(() -> stopAsked);
    broker = new KafkaForStart(() -> stopAsked);
    metrics = new JobMetrics(() -> state, space::waits);
    thread = new Thread(this::run, "millrace-" + application.name());
  }

  String application() {
    return application.name();
  }

  void start() {
    thread.start();
  }

  /// @param atMost how long whoever asks waits for the end
  void stop(Duration atMost) {
    stopWithin = atMost;
    stopAsked = true;
    LockSupport.unpark(thread);
    if (config.embedded().directory() == null) {
      broker.interrupt(thread);
    }
  }

  /// Ends the threads without another commit.
  void kill() {
    killed = true;
    stopAsked = true;
    LockSupport.unpark(thread);
    if (!Thread.currentThread().equals(thread)) {
      EngineThreads.join(thread);
    }
  }

  /// Returns whether the job has stopped so that this process can be restarted.
  boolean restarts() {
    return restarts && !stopAsked && failure == null;
  }

  @Nullable JobFailure failure() {
    return failure;
  }

  @Nullable Plan plan() {
    return plan;
  }

  /// Returns the engine; null until this process takes part.
  @Nullable Engine engine() {
    return engine;
  }

  JobMetrics metrics() {
    return metrics;
  }

  private void run() {
    MDC.put("application", application.name());
    JobState last = JobState.FAILED;
    try (StatusServer status = statusServer();
        JobResources resources = new JobResources(application, config, local, space, broker)) {
      if (status != null) {
        status.announce(); // the first line is the choice of Kafka
      }
      plan = resources.plan();
      container = resources.hold();
      last = run(resources);
    } catch (InvalidTopologyException | JobStartException | PlanRefusedException e) {
      fail(ExitCode.USAGE, e);
    } catch (SpaceForStart.StoppedException _) {
      last = JobState.STOPPED;
    } catch (LogException e) {
      if (stopAsked && engine == null && e.kind() == LogException.Kind.UNAVAILABLE) {
        last = JobState.STOPPED; // it was told to while it waited for Kafka
      } else {
        fail(exitCode(Failure.Kind.of(e.kind())), e);
      }
    } catch (DiskException e) {
      fail(ExitCode.FAILED, e);
    } catch (RuntimeException | Error e) { // outermost: the end of the control thread
      fail(ExitCode.FAILED, e);
    } finally {
      sayFailure();
      metrics.ended();
      become(failure == null ? last : JobState.FAILED);
    }
  }

  /// Logs the failure, because the caller of [Millrace#start] may read only the log.
  private void sayFailure() {
    JobFailure why = failure;
    if (why != null) {
      LOG.error("The job failed, exit code {}: {}", why.exitCode(), why.message());
      LOG.debug("The job failed because of this exception.", why.cause());
    }
  }

  private @Nullable StatusServer statusServer() {
    return config.http().port() < 0
        ? null
        : new StatusServer(config.http(), metrics, () -> state, this::labels, this::placement);
  }

  /// Returns who has which task, as JSON; null until this process takes part.
  private @Nullable String placement() {
    Membership known = membership;
    return known == null ? null : known.page().json();
  }

  /// Returns the labels of all metrics. The name of the container is known once it has a place in
  /// the state directory.
  private SortedMap<String, String> labels() {
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put("application", application.name());
    if (!container.isEmpty()) {
      labels.put("container", container);
    }
    return labels;
  }

  private void become(JobState now) {
    state = now;
    changed.accept(now);
  }

  private void threadFailed(Throwable cause) {
    fail(ExitCode.FAILED, cause);
    killed = true;
  }

  private void fail(int exitCode, Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    failure = new JobFailure(exitCode, message, cause);
  }

  private JobState run(JobResources resources) {
    try (JobBeans beans = new JobBeans(metrics, application.name(), container)) {
      return resources.isWhole() ? runWhole(resources, beans) : runTasks(resources, beans);
    }
  }

  /// Has an engine whose tasks come and go.
  private JobState runTasks(JobResources resources, JobBeans beans) {
    Engine made = resources.engine(around);
    boolean ours = false;
    try (Membership joined = resources.membership(made, metrics.httpPort())) {
      membership = joined;
      ours = isMember(joined, resources);
      if (!ours) {
        return JobState.STOPPED;
      }
      run(made, joined, joined::close, resources, beans);
      restarts = joined.isToRestart();
      return outcome(made, joined.isCompleted());
    } finally {
      if (!ours) {
        made.abandon();
      }
    }
  }

  /// Has an engine with all tasks whenever this process is given them.
  private JobState runWhole(JobResources resources, JobBeans beans) {
    WholeJob whole = new WholeJob();
    try (Membership joined = resources.membership(whole, metrics.httpPort())) {
      membership = joined;
      if (!isMember(joined, resources)) {
        return JobState.STOPPED;
      }
      while (!stopAsked && failure == null && !joined.isCompleted() && !joined.isToRestart()) {
        joined.look();
        long version = whole.begin();
        if (version >= 0) {
          Engine made = resources.engineOfAll(around, version);
          run(made, new WholeStanding(joined, whole, version), () -> {}, resources, beans);
          whole.ended(made.completed());
          Failure why = made.failure();
          if (why != null && isBarred(why)) {
            LOG.info("All tasks may be another process's, or in use by one: {}", why.message());
            pause(BARRED);
          } else {
            outcome(made, false);
          }
        } else if (joined.isSettled()) {
          become(JobState.RUNNING);
        }
        pause(AWAITED);
      }
      if (failure == null) {
        joined.leave(Duration.ZERO);
        awaitLeft(joined);
      }
      restarts = joined.isToRestart();
      return joined.isCompleted() ? JobState.COMPLETED : JobState.STOPPED;
    }
  }

  /// Whether this process was barred as one that has all tasks, or a process of this host has their
  /// state open still, because it stands still or is about to end. Then it is tried again, unless
  /// another process was given the tasks meanwhile.
  private static boolean isBarred(@Nullable Failure why) {
    return why != null
        && (why.kind() == Failure.Kind.FENCED
            || (why.cause() instanceof DiskException e && e.kind() == DiskException.Kind.IN_USE));
  }

  private void awaitLeft(Membership membership) {
    long begunNanos = System.nanoTime();
    while (!membership.hasLeft() && !killed && System.nanoTime() - begunNanos < LEAVE.toNanos()) {
      membership.look();
      pause(AWAITED);
    }
  }

  /// @param beforeEnd what has to end before the engine's threads do
  private void run(
      Engine started,
      Standing standing,
      Runnable beforeEnd,
      JobResources resources,
      JobBeans beans) {
    engine = started;
    metrics.watch(started, resources::diskBytes, resources.memory(started));
    EngineThreads threads =
        new EngineThreads(
            application.name(), config.commit().interval(), () -> killed, this::threadFailed);
    threads.start(started);
    try (PartitionWatch partitions =
            new PartitionWatch(started.inputPartitions(), resources::unreadTopics);
        OtherVersions versions = resources.otherVersions();
        RolloutWatch rollout = resources.rolloutWatch();
        BusyTime busy = BusyTime.start(started, application.name())) {
      metrics.watch(partitions);
      metrics.watch(versions);
      metrics.watch(rollout);
      metrics.watch(new OperatorFamilies(started, busy));
      beans.register(); // nobody waits for it
      watch(started, standing, resources, beans, partitions, versions, rollout);
    } finally {
      // Whatever happened, no worker may run when Kafka and the state are released.
      threads.halt();
      if (!standing.isTakenAway()) {
        resources.endSnapshots();
      }
      beforeEnd.run();
      threads.join();
      started.abandon();
    }
  }

  /// Returns whether this process has become a member of the application. It shows first that it
  /// lives, and then looks whether its version is wanted still.
  private boolean isMember(Membership membership, JobResources resources) {
    while (!membership.isHeard()) {
      if (stopAsked) {
        return false;
      }
      membership.look();
      pause(AWAITED);
    }
    resources.requireWanted();
    return true;
  }

  private void watch(
      Engine watched,
      Standing standing,
      JobResources resources,
      JobBeans beans,
      PartitionWatch partitions,
      OtherVersions versions,
      RolloutWatch rollout) {
    boolean running = false;
    boolean stopping = false;
    boolean ending = false;
    Set<Plan.TaskId> shown = watched.taskMetrics().keySet();
    Every purge = new Every(config.log().isInMemory() ? PURGE_MEMORY : SELDOM);
    Every seldom = new Every(SELDOM);
    while (!watched.finished() && !killed) {
      metrics.sample(System.nanoTime());
      standing.look();
      versions.look(standing.otherVersions());
      rollout.look();
      if (!running && !stopping && watched.settled()) {
        standing.begun();
        running = standing.isSettled() && watched.settled(); // with what has come until then
        if (running) {
          become(JobState.RUNNING);
        }
      }
      partitions.look();
      String changed = partitions.end();
      if (changed != null && !stopping) {
        failure = new JobFailure(ExitCode.USAGE, changed, null);
        stopAsked = true;
      }
      Failure why = watched.failure();
      boolean ends = stopAsked || standing.isCompleted() || standing.isToRestart();
      if ((ends || why != null) && !stopping) {
        stopping = true;
        if (ends || !resources.isWhole() || !isBarred(why)) {
          leave(watched, standing, resources);
        }
      }
      if (!ending && (stopping ? standing.mayEnd(watched) : standing.isTakenAway())) {
        ending = true;
        watched.stop();
      }
      purge.run(watched::purge);
      if (seldom.isDue()) {
        resources.told().tell(watched);
        beans.register(); // operators have metrics when they have something to count
      }
      Set<Plan.TaskId> tasks = watched.taskMetrics().keySet();
      if (!shown.equals(tasks)) {
        shown = tasks;
        beans.register();
      }
      pause(running && !stopping ? LOOK_RUNNING : LOOK);
    }
  }

  private void leave(Engine watched, Standing standing, JobResources resources) {
    become(JobState.STOPPING);
    metrics.leaves();
    resources.endSnapshots();
    resources.told().tellAll(watched);
    boolean goesOn = stopAsked && failure == null && watched.failure() == null;
    standing.leave(goesOn ? config.stop().handOverWithin(stopWithin) : Duration.ZERO);
  }

  /// What is due after a time, again and again.
  private static final class Every {
    private final long nanos;
    private long lastNanos = System.nanoTime();

    Every(Duration time) {
      nanos = time.toNanos();
    }

    boolean isDue() {
      long now = System.nanoTime();
      if (now - lastNanos < nanos) {
        return false;
      }
      lastNanos = now;
      return true;
    }

    void run(Runnable action) {
      if (isDue()) {
        action.run();
      }
    }
  }

  private JobState outcome(Engine ended, boolean completed) {
    Failure engineFailure = ended.failure();
    if (engineFailure != null && failure == null) {
      failure =
          new JobFailure(
              exitCode(engineFailure.kind()), engineFailure.message(), engineFailure.cause());
    }
    return completed ? JobState.COMPLETED : JobState.STOPPED;
  }

  private static int exitCode(Failure.Kind kind) {
    return switch (kind) {
      case BAD_INPUT -> ExitCode.BAD_INPUT;
      case FENCED -> ExitCode.TAKEN;
      case SETUP -> ExitCode.USAGE;
      case MENDABLE, NO_SPACE, PROGRESS, FINAL -> ExitCode.FAILED;
    };
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }
}
