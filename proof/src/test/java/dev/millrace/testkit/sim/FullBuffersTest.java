package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.Faults;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What a job takes on while it cannot commit.
class FullBuffersTest {
  private static final int KEYS = 20_000;

  /// Counts every word in one window.
  private static final class Words implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").value(Serdes.string()).eventTime(_ -> Instant.EPOCH).asBounded())
          .groupBy("by-word", word -> word)
          .window(Windows.tumbling(Duration.ofSeconds(1)).allowedLateness(Duration.ZERO))
          .count("counts")
          .results(result -> result.key())
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @Test
  void aWindowOfManyKeysIsClosedInPiecesThatWaitForTheirCommits() {
    Simulation simulation =
        new Simulation(
            1,
            new Words(),
            SimulationSettings.of("in").withLimits(StateLimits.defaults().withCacheBytes(100_000)));
    simulation.log().createTopic("in", 1);
    simulation.log().createTopic("out", 1);
    for (int i = 0; i < KEYS; i++) {
      byte[] word = ("word " + i).getBytes(StandardCharsets.UTF_8);
      simulation.log().append(new Split("in", 0), 0, null, word, new byte[0]);
    }
    simulation
        .log()
        .faults(
            new Faults(
                Delay.of(Duration.ofMillis(30)), 0, 0, 0, 0, Delay.NONE, Duration.ofSeconds(30)));
    simulation.startAll();
    int most = 0;
    while (!simulation.completed()) {
      simulation.step();
      most = Math.max(most, simulation.log().undecided("out", 0).size());
      assertTrue(simulation.steps() < 200_000, simulation::state);
    }
    int largest = most;
    // A piece of 1,024 results, and another one that was begun before.
    assertTrue(largest <= 2_048, () -> "A commit has " + largest + " results.");
    simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(KEYS, simulation.log().records("out").size());
  }
}
