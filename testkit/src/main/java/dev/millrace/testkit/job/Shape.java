package dev.millrace.testkit.job;

import dev.millrace.api.connector.Start;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.log.ModelSettings;
import dev.millrace.testkit.sim.SimulationSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// How a test's job is set up.
///
/// @param partitions of topics whose number the application leaves open
/// @param batch how many records a reader returns at most, in virtual time
/// @param start what the virtual clock shows at first
/// @param badInput what happens with what cannot be processed
record Shape(
    long seed,
    int partitions,
    int containers,
    int workers,
    int batch,
    MemoryLimits limits,
    Duration idleAfter,
    Instant start,
    OnError badInput) {
  /// Where dead letters go.
  static final String DEAD_LETTERS = "dead-letters";

  /// How often a job commits.
  static final Duration COMMIT_INTERVAL = Duration.ofMillis(20);

  /// No transaction is open for so long, however large the steps are in which time passes.
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(10);

  /// Partitions as few as show what partitioning does; the rest as the engine's own defaults are.
  static Shape standard() {
    return new Shape(
        1,
        3,
        1,
        1,
        ModelSettings.defaults().batchRecords(),
        MemoryLimits.defaults(),
        InputConfig.defaults().idleAfter(),
        Instant.parse("2026-01-01T00:00:00Z"),
        OnError.FAIL);
  }

  Shape withSeed(long newSeed) {
    return new Shape(
        newSeed, partitions, containers, workers, batch, limits, idleAfter, start, badInput);
  }

  Shape withPartitions(int newPartitions) {
    return new Shape(
        seed, newPartitions, containers, workers, batch, limits, idleAfter, start, badInput);
  }

  Shape withContainers(int newContainers, int newWorkers) {
    return new Shape(
        seed, partitions, newContainers, newWorkers, batch, limits, idleAfter, start, badInput);
  }

  Shape withBatch(int newBatch) {
    return new Shape(
        seed, partitions, containers, workers, newBatch, limits, idleAfter, start, badInput);
  }

  Shape withLimits(MemoryLimits newLimits) {
    return new Shape(
        seed, partitions, containers, workers, batch, newLimits, idleAfter, start, badInput);
  }

  Shape withIdleAfter(Duration newIdleAfter) {
    return new Shape(
        seed, partitions, containers, workers, batch, limits, newIdleAfter, start, badInput);
  }

  Shape withStart(Instant newStart) {
    return new Shape(
        seed, partitions, containers, workers, batch, limits, idleAfter, newStart, badInput);
  }

  Shape withBadInput(OnError newBadInput) {
    return new Shape(
        seed, partitions, containers, workers, batch, limits, idleAfter, start, newBadInput);
  }

  /// Returns the same for a run in steps.
  ///
  /// @param streams the topics that the application reads
  SimulationSettings settings(List<String> streams) {
    EngineSettings engine =
        EngineSettings.defaults()
            .withCommit(commit ->
                commit
                    .withInterval(COMMIT_INTERVAL)
                    .withLatencyTarget(Duration.ofHours(1))
                    .withTransactionTimeout(TRANSACTION_TIMEOUT))
            .withState(state -> state.withFlushInterval(Duration.ofMillis(200)))
            .withInput(input -> input.withStart(Start.earliest()).withIdleAfter(idleAfter))
            .withErrors(errors -> errors.withOnError(badInput).withDeadLetterTopic(DEAD_LETTERS));
    return new SimulationSettings(
        streams,
        containers,
        workers,
        Groups.OF_WORKERS,
        engine,
        limits,
        ModelSettings.defaults().withBatchRecords(batch),
        Duration.ofMillis(1),
        SimulationSettings.Placing.BY_NUMBERS);
  }
}
