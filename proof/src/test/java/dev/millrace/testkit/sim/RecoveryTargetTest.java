package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What a crash has to replay follows from the recovery target, not from how much was ever written.
class RecoveryTargetTest {
  private static final int VALUE_BYTES = 800;
  private static final int BATCH = 50;

  /// Keeps the last value of each key.
  private static final class Latest implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("events").key(Serdes.longs()).value(Serdes.bytes()))
          .groupByKey()
          .reduce("latest", (before, next) -> next)
          .toStream()
          .filter(value -> value.length == 0)
          .to(Kafka.sink("none").key(Serdes.longs()).value(Serdes.bytes()));
    }
  }

  private final Simulation simulation;
  private long written;

  RecoveryTargetTest() {
    // No flush comes from the clock.
    SimulationSettings settings = SimulationSettings.of("events");
    simulation =
        new Simulation(
            5,
            new Latest(),
            settings.withEngine(
                SimulationSettings.engineSettings(Duration.ofMillis(20), Duration.ofDays(1))
                    .withRecovery(recovery -> recovery.withTarget(Duration.ofMillis(6)))));
    simulation.log().createTopic("events", 1);
    simulation.log().createTopic("none", 1);
    simulation.startAll();
  }

  @Test
  void aCrashReplaysATailThatFitsIntoTheTarget() {
    long most = 0;
    for (int crash = 0; crash < 5; crash++) {
      write(5 * BATCH * (crash + 1));
      simulation.crash(0, false);
      simulation.startAll();
      while (metrics().processed() == 0) {
        write(1);
      }
      most = Math.max(most, metrics().restored());
    }
    // At 32 MB/s some 250 values of 800 bytes take 6 ms.
    assertTrue(most > 0, "nothing was replayed");
    assertTrue(most < 500, "replayed " + most);
    assertTrue(written > 3_500);
  }

  private TaskMetrics metrics() {
    return Objects.requireNonNull(simulation.engine(0)).taskMetrics().values().iterator().next();
  }

  private void write(int records) {
    for (int i = 0; i < records; i++) {
      byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(written++).array();
      simulation.log().append(new Split("events", 0), 0, key, new byte[VALUE_BYTES], new byte[0]);
      if (i % BATCH == 0) {
        stepUntilRead();
      }
    }
    stepUntilRead();
  }

  private void stepUntilRead() {
    Split events = new Split("events", 0);
    while (!Objects.equals(simulation.log().committedPositions("latest").get(events), written)) {
      for (int i = 0; i < 20; i++) {
        simulation.step();
      }
    }
  }
}
