package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.Deployment;
import dev.millrace.internal.engine.versions.Deployments;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An application whose values change their format while containers of both versions run.
/// Containers are started with the version that is rolled out or with the one before, as the topic
/// of versions admits them; the change is finalized, or rolled back, or a second one comes; all
/// that while containers and whoever starts them are crashed.
///
/// What is computed is the same in all versions, so whatever container has computed a row, and
/// whichever has written the values it is made of, the rows are those of a fold of the input.
final class Rollouts {
  static final String NAME = "rollouts";
  private static final ApplicationName APPLICATION = ApplicationName.of(RolloutProgram.APPLICATION);
  private static final int STEPS = 60_000;
  private static final int EXTRAS = 4;

  /// Steps between two looks at what is to be started.
  private static final int PERIOD = 60;

  /// Longer than any container is away.
  private static final Duration AWAY = Duration.ofDays(1);

  /// What a container was started with.
  private record Started(int version, Plan plan) {}

  private final Seed seed;
  private final Simulation simulation;
  private final RolloutOracle oracle;
  private final int partitions;
  private final List<RolloutProgram> programs = new ArrayList<>();
  private final boolean faults;

  /// By the number of a plan, the version of the program that has it.
  private final Map<Long, Integer> versions = new TreeMap<>();

  /// What each container was started with last.
  private final Map<Integer, Started> started = new TreeMap<>();

  /// Containers that still look whether the change is finalized.
  private final TreeSet<Integer> watching = new TreeSet<>();

  private final RolloutCounts seen = new RolloutCounts();

  /// The containers whose program looks whether it may run.
  private final Set<Integer> starting = new TreeSet<>();

  /// How often it was begun to finalize a change since a process began to start, or before that.
  private int closings;

  /// Whether a change is being finalized while another process is at work.
  private boolean isInterrupted;

  private double dies = 0.002;
  private int processes;

  private Rollouts(long value, Hosts hosts) {
    seed = new Seed(value).fork(NAME);
    faults = seed.chance(0.3);
    partitions = seed.between(1, 3);
    drawPrograms();
    SimulationSettings settings =
        SimulationSettings.drawn(value, RolloutProgram.VISITS, RolloutProgram.MARKS)
            // What was recorded and written is looked up in the log at the end.
            .withLog(ModelSettings.defaults());
    int containers = Math.max(2, settings.containers());
    settings =
        settings
            .withShape(containers, settings.workers(), settings.groups())
            // Where an input is idle while its container is away, its rows are late, and dropped.
            .withEngine(engine -> engine.withInput(input -> input.withIdleAfter(AWAY)));
    simulation = new Simulation(value, programs.getFirst(), settings, hosts);
    oracle = new RolloutOracle(simulation.log());
    List.of(RolloutProgram.VISITS, RolloutProgram.MARKS)
        .forEach(topic -> simulation.log().createTopic(topic, partitions));
    RolloutProgram.RESULTS.forEach(topic -> simulation.log().createTopic(topic, 1));
    for (int extra = 0; extra < EXTRAS; extra++) {
      simulation.log().createTopic(RolloutProgram.out(extra), 1);
    }
    simulation.log().createTopic(VersionLog.topic(APPLICATION.storage()));
  }

  private void drawPrograms() {
    for (int version = 0; version < RolloutForms.ALL.size(); version++) {
      List<Integer> extras = new ArrayList<>();
      for (int extra = 0; extra < EXTRAS; extra++) {
        if (seed.chance(0.4)) {
          extras.add(seed.below(extras.size() + 1), extra);
        }
      }
      programs.add(new RolloutProgram(version, extras));
    }
  }

  /// Runs it under a seed.
  ///
  /// @throws AssertionError if a row is not that of the oracle, a container cannot read what there
  ///   is, or a version is refused that must be admitted
  static RolloutCounts run(long seed, Hosts hosts) {
    Rollouts rollouts = new Rollouts(seed, hosts);
    rollouts.run();
    return rollouts.seen;
  }

  private void run() {
    int first = seed.below(3);
    while (!started.containsKey(0)) {
      start(0, first);
    }
    if (faults) {
      simulation.log().faults(Faults.drawn(seed));
    }
    for (int steps = seed.between(4, 20) * 250; steps > 0; steps--) {
      work(steps);
    }
    simulation.calm();
    dies = 0;
    if (seed.coin()) {
      crashAll();
    }
    runToTheEnd();
    RolloutOracle.requireNumbersForEver(everRecorded());
  }

  private void work(int step) {
    if (seed.chance(0.04)) {
      write();
    }
    if (step % PERIOD == 0) {
      startSome();
    }
    if (seed.chance(0.004)) {
      int index = seed.below(simulation.containers());
      if (seed.coin()) {
        simulation.crash(index, seed.coin());
      } else {
        simulation.cluster().container(index).stop();
      }
    }
    if (seed.chance(0.005)) {
      finish();
    }
    if (seed.chance(0.001)) {
      rollBack();
    }
    watch();
    simulation.step();
  }

  private void write() {
    if (seed.chance(0.8)) {
      String user = "u" + seed.below(7);
      write(RolloutProgram.VISITS, user, user + " " + seed.between(-2, 2) + " t" + seed.below(4));
    } else {
      write(RolloutProgram.MARKS, "u" + seed.below(7), "m" + seed.below(4));
    }
  }

  private void write(String topic, String key, String value) {
    append(split(topic, key), 0, key, value);
    oracle.wrote(topic, key, value);
  }

  private Split split(String topic, String key) {
    return new Split(topic, Partitioner.partition(Bytes.ofUtf8(key), partitions));
  }

  private void append(Split split, long time, String key, String value) {
    simulation
        .log()
        .append(
            split,
            time,
            key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8),
            new byte[0]);
  }

  private boolean runs(int index) {
    return simulation.cluster().container(index).engine() != null;
  }

  private @Nullable Recorded recorded() {
    try {
      return VersionLog.recorded(
          APPLICATION.storage(), simulation.log(), simulation.clock(), simulation::step);
    } catch (LogException _) {
      return null;
    }
  }

  /// The plans that were ever recorded, whether or not they were taken back.
  private List<PlanDescription> everRecorded() {
    return simulation.log().records(VersionLog.topic(APPLICATION.storage()).name()).stream()
        .filter(record -> String.valueOf(record.keyText()).startsWith("plan/"))
        .map(record -> PlanDescription.parse(Objects.requireNonNull(record.valueText())))
        .toList();
  }

  private @Nullable Integer version(@Nullable PlanDescription plan) {
    return plan == null ? null : Objects.requireNonNull(versions.get(plan.version()));
  }

  /// Starts some of the containers that do not run.
  private void startSome() {
    for (int index = 0; index < simulation.containers(); index++) {
      if (!runs(index) && !starting.contains(index) && seed.chance(0.7)) {
        startWithSome(index);
      }
    }
  }

  private void startWithSome(int index) {
    Recorded found = recorded();
    Integer current = found == null ? null : version(found.plan());
    if (found == null || current == null) {
      return;
    }
    Integer former = version(found.former());
    boolean changes = seed.chance(former == null ? 0.3 : 0.1);
    if (changes) {
      int next = seed.below(programs.size());
      if (seed.chance(0.7)) {
        next = Math.min(programs.size() - 1, current + seed.between(1, 2));
      }
      start(index, next);
    } else {
      start(index, former != null && seed.chance(0.4) ? former : current);
    }
  }

  /// Has a version admitted, which may crash, and starts a container with it.
  private void start(int index, int version) {
    Recorded before = recorded();
    if (before == null) {
      return;
    }
    if (!isInterrupted) {
      closings = before.isClosing() ? 1 : 0;
    }
    PlannedProgram planned =
        new PlannedProgram(programs.get(version), simulation.cluster(), versions);
    attempt(log -> {
      try (VersionLog admitting =
          new VersionLog(APPLICATION, planned, ChangeConfig.AUTO, log, simulation.clock())) {
        admit(admitting);
        Plan plan = planned.admitted(admitting);
        count(before, plan, admitting);
        if (mayBegin(index, admitting.known(), plan, log) && !runs(index)) {
          simulation.cluster().start(index, plan, planned.graph);
          started.put(index, new Started(version, plan));
          watching.remove(index);
          if (admitting.writesFor() != null) {
            watching.add(index);
          }
        }
      } catch (PlanRefusedException e) {
        requireMayBeRefused(before, version, e);
      }
    });
  }

  /// A container shows that it starts, and looks whether it still may.
  private boolean mayBegin(int index, ApplicationNames.Found known, Plan plan, Log log) {
    starting.add(index);
    try {
      return VersionLog.mayBegin(known, plan.description(), log, simulation.clock(), this::pause);
    } finally {
      starting.remove(index);
    }
  }

  private void admit(VersionLog admitting) {
    while (admitting.state() != VersionLog.State.RECORDED) {
      if (admitting.state() != VersionLog.State.CHECKED) {
        admitting.step();
      } else if (admitting.isRecorded()) {
        return;
      } else {
        admitting.propose();
      }
      pause();
    }
  }

  private void count(Recorded before, Plan plan, VersionLog admitting) {
    boolean isCurrent = plan.description().equals(before.plan());
    if (before.plan() != null && !isCurrent) {
      if (admitting.writesFor() == null && before.deployment() != null) {
        seen.returns++;
      } else {
        seen.changes++;
        seen.changesWhileOpen += before.deployment() == null ? 0 : 1;
      }
    }
  }

  /// The current version is never refused, nor the former one if no change is about to be
  /// finalized, nor is one that is later than all there were.
  private void requireMayBeRefused(Recorded before, int version, PlanRefusedException refused) {
    seen.refused++;
    Recorded after = recorded();
    boolean isKnown = after != null && isKnown(version, before) && isKnown(version, after);
    boolean isLater =
        everRecorded().stream().allMatch(each -> Objects.requireNonNull(version(each)) < version);
    if (isKnown || isLater) {
      throw new AssertionError(
          "Refused version %d: %s".formatted(version, refused.getMessage()), refused);
    }
  }

  private boolean isKnown(int version, Recorded recorded) {
    return Objects.equals(version, version(recorded.plan()))
        || (closings == 0
            && !recorded.isClosing() // a dead process has perhaps said so
            && Objects.equals(version, version(recorded.former())));
  }

  /// What a process does with the log until it ends or dies.
  private void attempt(Consumer<Log> doing) {
    String process = "process-" + processes++;
    try {
      doing.accept(simulation.log().client(process));
    } catch (DiedException | LogException _) {
      simulation.log().crash(process);
    }
  }

  /// What happens meanwhile.
  private void pause() {
    if (seed.chance(dies)) {
      throw new DiedException();
    }
    if (!isInterrupted && seed.chance(0.05)) {
      isInterrupted = true;
      if (seed.coin()) {
        finish();
      } else {
        startSome();
      }
      isInterrupted = false;
    }
    simulation.step();
  }

  private Deployments deployments(Log log) {
    return new Deployments(APPLICATION, log, simulation.clock(), this::pause);
  }

  /// Finalizes the open change, if no container runs another version.
  private void finish() {
    Recorded found = recorded();
    Deployment open = found == null ? null : found.deployment();
    if (found == null || open == null) {
      return;
    }
    closings++;
    attempt(log -> {
      if (deployments(log).finish(open, current -> starting.isEmpty() && allRun(current))) {
        seen.finalized++;
      }
    });
  }

  private boolean allRun(PlanDescription plan) {
    for (int index = 0; index < simulation.containers(); index++) {
      if (runs(index) && !isStarted(index, plan)) {
        return false;
      }
    }
    return true;
  }

  private boolean isStarted(int index, @Nullable PlanDescription plan) {
    return Objects.requireNonNull(started.get(index)).plan().description().equals(plan);
  }

  /// Rolls the open change back, whatever runs.
  private void rollBack() {
    Recorded found = recorded();
    Deployment open = found == null ? null : found.deployment();
    if (open != null) {
      attempt(log -> {
        if (deployments(log).rollBack(open)) {
          seen.rolledBack++;
        }
      });
    }
  }

  /// Each container looks now and then whether its change is finalized.
  private void watch() {
    if (watching.isEmpty() || !seed.chance(0.01)) {
      return;
    }
    Recorded found = recorded();
    int index = seed.pick(List.copyOf(watching));
    if (found == null) {
      return;
    }
    if (!runs(index) || !isStarted(index, found.plan())) {
      watching.remove(index);
    } else if (found.deployment() == null) {
      watching.remove(index);
      Objects.requireNonNull(started.get(index)).plan().written().finalization().finish();
    }
  }

  private void crashAll() {
    for (int i = 0; i < simulation.containers(); i++) {
      simulation.crash(i, seed.coin());
    }
  }

  private void runToTheEnd() {
    runUntil(oracle::isRead);
    List.of(RolloutProgram.VISITS, RolloutProgram.MARKS).forEach(this::passWindow);
    runUntil(oracle::isComplete);
    for (int step = 0; step < 500; step++) {
      simulation.step(); // nothing comes after that
    }
    oracle.requireExact();
    requireMendable();
  }

  /// A record in each partition has the windows close.
  private void passWindow(String topic) {
    long time = 3 * RolloutProgram.WINDOW.toMillis();
    TreeSet<Integer> passed = new TreeSet<>();
    for (int i = 0; passed.size() < partitions; i++) {
      String user = "end" + i;
      Split split = split(topic, user);
      if (passed.add(split.partition())) {
        String value = topic.equals(RolloutProgram.VISITS) ? user + " 1 end" : "end";
        append(split, time, user, value);
        oracle.ended(topic, user);
      }
    }
  }

  private void runUntil(BooleanSupplier over) {
    for (int step = 0; step < STEPS; step++) {
      if (step % 200 == 0) {
        requireMendable();
        startSome();
        if (over.getAsBoolean()) {
          return;
        }
      }
      watch();
      simulation.step();
    }
    throw new AssertionError("Does not end, " + oracle.difference() + simulation.state());
  }

  private void requireMendable() {
    for (Failure failure : simulation.failures()) {
      boolean ofFaults = faults && failure.message().contains("repeatedly");
      if (failure.kind() != Failure.Kind.FENCED
          && failure.kind() != Failure.Kind.MENDABLE
          && !ofFaults) {
        throw new AssertionError("A container ended with " + failure, failure.cause());
      }
    }
  }
}
