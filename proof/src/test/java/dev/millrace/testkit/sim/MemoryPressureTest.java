package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.GroupMetrics;
import dev.millrace.internal.engine.metrics.FlushCause;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A job whose shares of memory are far too small does all of its work, only slower.
class MemoryPressureTest {
  private static final int PARTITIONS = 3;
  private static final int RECORDS = 9_000;
  private static final int KEYS = 3_000;

  /// Counts every word.
  private static final class Words implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").value(Serdes.string()).asBounded())
          .groupBy("by-word", word -> word)
          .count("counts")
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  /// Runs the job in virtual time without a flush for the sake of time, and rare commits.
  ///
  /// @return its engine, for the metrics
  private static Engine run(MemoryLimits limits) {
    Simulation simulation =
        new Simulation(
            1,
            new Words(),
            SimulationSettings.of("in")
                .withEngine(
                    SimulationSettings.engineSettings(Duration.ofSeconds(1), Duration.ofHours(10))
                        .withRecovery(recovery -> recovery.withTarget(Duration.ofHours(10))))
                .withLimits(limits));
    simulation.log().createTopic("in", PARTITIONS);
    simulation.log().createTopic("out", PARTITIONS);
    for (int i = 0; i < RECORDS; i++) {
      byte[] word = ("word " + i % KEYS).getBytes(StandardCharsets.UTF_8);
      simulation.log().append(new Split("in", i % PARTITIONS), 0, null, word, new byte[0]);
    }
    simulation.startAll();
    Engine engine = Objects.requireNonNull(simulation.engine(0));
    while (!simulation.completed()) {
      simulation.step();
      assertTrue(simulation.steps() < 400_000, simulation::state);
    }
    simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(RECORDS, simulation.log().records("out").size());
    return engine;
  }

  private static long pauses(Engine engine) {
    return engine.workerMetrics().getFirst().fetchPauses();
  }

  private static long flushes(Engine engine, FlushCause cause) {
    return engine.workerMetrics().getFirst().flushes(cause);
  }

  private static long commits(Engine engine, CommitCause cause) {
    return engine.groups().getFirst().metrics().begunFor(cause);
  }

  @Test
  void nothingIsDoneEarlyWhereThereIsRoom() {
    Engine engine = run(MemoryLimits.defaults());
    assertEquals(0, pauses(engine));
    assertEquals(0, flushes(engine, FlushCause.MEMORY));
    assertEquals(0, engine.workerMetrics().getFirst().outboxWaitCount());
    assertEquals(0, engine.groups().getFirst().metrics().recordsSentEarly());
    assertEquals(0, commits(engine, CommitCause.LIVE_STATE));
  }

  @Test
  void fetchingIsPausedWhileItsShareIsReached() {
    Engine engine = run(new MemoryLimits(StateLimits.defaults(), 1_000, 8 << 20));
    assertTrue(pauses(engine) > 0);
    assertEquals(0, commits(engine, CommitCause.OUTBOX));
  }

  @Test
  void processingWaitsWhenWhatLeavesReachesItsShare() {
    Engine engine = run(new MemoryLimits(StateLimits.defaults(), 64 << 20, 4_000));
    assertTrue(engine.workerMetrics().getFirst().outboxWaitCount() > 0);
    assertTrue(engine.workerMetrics().getFirst().outboxWaitedNanos() > 0);
    assertEquals(0, commits(engine, CommitCause.OUTBOX));
    assertEquals(0, pauses(engine));
  }

  @Test
  void fullBatchesAreOnTheirWayBeforeTheirCommit() {
    Engine engine = run(new MemoryLimits(StateLimits.defaults(), 64 << 20, 200_000));
    GroupMetrics group = engine.groups().getFirst().metrics();
    assertTrue(group.recordsSentEarly() > RECORDS, "those to the exchange and many of the results");
    assertTrue(group.recordsSentEarly() < group.recordsSent());
    assertEquals(0, engine.workerMetrics().getFirst().outboxWaitCount());
  }

  @Test
  void aCommitComesEarlyWhenLiveStateReachesItsShare() {
    Engine engine =
        run(MemoryLimits.defaults().withOfTask(StateLimits.defaults().withLiveShareBytes(20_000)));
    assertTrue(commits(engine, CommitCause.LIVE_STATE) > 2);
    assertEquals(0, flushes(engine, FlushCause.MEMORY));
  }

  @Test
  void aFlushComesEarlyWhenCommittedStateReachesItsShare() {
    Engine engine =
        run(
            MemoryLimits.defaults()
                .withOfTask(
                    StateLimits.defaults()
                        .withLiveShareBytes(20_000)
                        .withCommittedShareBytes(20_000)));
    assertTrue(flushes(engine, FlushCause.MEMORY) > 1);
  }
}
