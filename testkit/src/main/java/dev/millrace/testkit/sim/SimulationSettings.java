package dev.millrace.testkit.sim;

import dev.millrace.api.connector.Start;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/// How a job is simulated.
///
/// @param streams the topics that the application reads
/// @param groups which tasks commit together
/// @param stepTime the most time that passes in a step
/// @param placing who says which container has which task
public record SimulationSettings(
    List<String> streams,
    int containers,
    int workers,
    Groups groups,
    EngineSettings engine,
    MemoryLimits limits,
    ModelSettings log,
    Duration stepTime,
    Placing placing) {

  /// Who says which container has which task.
  public enum Placing {
    /// Numbers that all containers are given.
    BY_NUMBERS,
    /// Chance, while they run.
    AT_RANDOM,
    /// The coordinator, while they run.
    BY_COORDINATOR;

    /// Whether tasks move.
    boolean moves() {
      return this != BY_NUMBERS;
    }
  }

  /// One container with one worker, a commit every 20 ms, a flush every 200 ms, up to 1 ms a step.
  public static SimulationSettings of(String... streams) {
    return new SimulationSettings(
        List.of(streams),
        1,
        1,
        Groups.OF_WORKERS,
        engineSettings(Duration.ofMillis(20), Duration.ofMillis(200)),
        MemoryLimits.defaults(),
        ModelSettings.defaults(),
        Duration.ofMillis(1),
        Placing.BY_NUMBERS);
  }

  /// A shape drawn from a seed: containers and workers, small caches or large ones, a changelog
  /// that is compacted meanwhile or not.
  static SimulationSettings drawn(long seed, String... streams) {
    Seed choices = new Seed(seed).fork("shape");
    SimulationSettings settings =
        of(streams).withShape(choices.between(1, 3), choices.between(1, 3), choices.coin());
    if (choices.coin()) {
      settings =
          settings.withLimits(
              StateLimits.defaults().withCacheBytes(2_000).withCommittedShareBytes(4_000));
    }
    settings = settings.withLimits(underPressure(settings.limits(), new Seed(seed).fork("memory")));
    settings = settings.withLimits(sendingEarly(settings.limits(), new Seed(seed).fork("outbox")));
    return choices.chance(0.3)
        ? settings.withLog(
            ModelSettings.defaults().withCleaner(Duration.ofMillis(50), choices.below(20)))
        : settings;
  }

  /// For some seeds batches so small that most of them leave before their commit.
  private static MemoryLimits sendingEarly(MemoryLimits limits, Seed choices) {
    long bytes = choices.between(1, 100) * 500L;
    return choices.chance(0.4)
        ? limits.withOutboxBytes(Math.min(bytes, limits.outboxBytes()))
        : limits;
  }

  /// For some seeds so little room for what was fetched, or for what is to be sent, that inputs are
  /// paused and commits come early all the time.
  private static MemoryLimits underPressure(MemoryLimits limits, Seed choices) {
    if (!choices.chance(0.25)) {
      return limits;
    }
    return new MemoryLimits(
        limits.ofTask(),
        choices.coin() ? 1_000 : limits.fetchedBytes(),
        choices.coin() ? 500 : limits.outboxBytes());
  }

  /// Settings of the engine that suit virtual time: reading from the earliest record on.
  public static EngineSettings engineSettings(Duration commitInterval, Duration flushInterval) {
    return EngineSettings.defaults()
        .withCommit(
            commit -> commit.withInterval(commitInterval).withLatencyTarget(Duration.ofHours(1)))
        .withState(state -> state.withFlushInterval(flushInterval))
        .withInput(input ->
            input
                .withStart(Start.earliest())
                .withIdleAfter(Duration.ofSeconds(1))
                .withAlignment(Duration.ofSeconds(2)));
  }

  /// With exchanges that are topics.
  public SimulationSettings withShape(int newContainers, int newWorkers, boolean oneGroup) {
    return withShape(
        newContainers, newWorkers, oneGroup ? Groups.OF_CONTAINERS : Groups.OF_WORKERS);
  }

  public SimulationSettings withShape(int newContainers, int newWorkers, Groups newGroups) {
    return new SimulationSettings(
        streams, newContainers, newWorkers, newGroups, engine, limits, log, stepTime, placing);
  }

  /// Returns a copy with other settings of the engine.
  public SimulationSettings withEngine(EngineSettings newEngine) {
    return new SimulationSettings(
        streams, containers, workers, groups, newEngine, limits, log, stepTime, placing);
  }

  /// Returns a copy with changed settings of the engine.
  public SimulationSettings withEngine(UnaryOperator<EngineSettings> change) {
    return withEngine(change.apply(engine));
  }

  public SimulationSettings withLimits(StateLimits ofTask) {
    return withLimits(limits.withOfTask(ofTask));
  }

  public SimulationSettings withLimits(MemoryLimits newLimits) {
    return new SimulationSettings(
        streams, containers, workers, groups, engine, newLimits, log, stepTime, placing);
  }

  public SimulationSettings withLog(ModelSettings newLog) {
    return new SimulationSettings(
        streams, containers, workers, groups, engine, limits, newLog, stepTime, placing);
  }

  /// Returns a copy in which somebody else says which container has which task.
  SimulationSettings withPlacing(Placing newPlacing) {
    return new SimulationSettings(
        streams, containers, workers, groups, engine, limits, log, stepTime, newPlacing);
  }
}
