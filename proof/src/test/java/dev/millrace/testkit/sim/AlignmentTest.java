package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.spi.Split;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Inputs of one stage whose records are differently far from each other in time: while they are
/// caught up with, none of them gets far ahead.
class AlignmentTest {
  private static final int RECORDS = 400;
  private static final long BOUND_MILLIS = 60_000;

  /// A batch may be read whole, and other workers are seen a little later.
  private static final long SLACK_MILLIS = 2 * 16 * 10_000;

  private static final long START = 1_000_000;

  /// How far each input is, as the application's functions see it, and the largest distance between
  /// two of those that had records left.
  private static final class Seen {
    private final Map<String, Long> times = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private long furthest;

    synchronized void see(String value) {
      String input = value.substring(0, value.indexOf('@'));
      times.put(input, time(value).toEpochMilli());
      int count = counts.merge(input, 1, Integer::sum);
      for (Map.Entry<String, Long> other : times.entrySet()) {
        int read = counts.getOrDefault(other.getKey(), 0);
        if (count < RECORDS && read < RECORDS) {
          furthest = Math.max(furthest, time(value).toEpochMilli() - other.getValue());
        }
      }
    }
  }

  private static Instant time(String value) {
    return Instant.ofEpochMilli(Long.parseLong(value.substring(value.indexOf('@') + 1)));
  }

  private record Reading(Seen seen) implements StreamApplication {
    @Override
    public String name() {
      return "reading";
    }

    private static Stream<String> from(Topology topology, String topic) {
      return topology.from(
          Kafka.source(topic).value(Serdes.string()).eventTime(AlignmentTest::time));
    }

    @Override
    public void describe(Topology topology) {
      from(topology, "slow")
          .merge(from(topology, "fast"))
          .peek(seen::see)
          .to(Kafka.sink("out").value(Serdes.string()));
    }
  }

  /// @return how far apart two inputs were at most
  private static long run(long seed, int workers, Duration bound) {
    Seen seen = new Seen();
    SimulationSettings settings = SimulationSettings.of("slow", "fast");
    EngineSettings engine = settings.engine().withInput(input -> input.withAlignment(bound));
    Simulation simulation =
        new Simulation(
            seed, new Reading(seen), settings.withEngine(engine).withShape(1, workers, false));
    simulation.log().createTopic("slow", 2);
    simulation.log().createTopic("fast", 2);
    simulation.log().createTopic("out", 2);
    write(simulation, new Split("slow", 0), 1_000);
    write(simulation, new Split("slow", 1), 3_000);
    write(simulation, new Split("fast", 0), 10_000);
    write(simulation, new Split("fast", 1), 7_000);
    simulation.startAll();
    while (simulation.log().records("out").size() < 4 * RECORDS) {
      simulation.step();
      assertTrue(simulation.steps() < 100_000, simulation::state);
    }
    assertEquals(4 * RECORDS, simulation.log().records("out").size());
    return seen.furthest;
  }

  private static void write(Simulation simulation, Split split, long millisBetween) {
    for (int i = 0; i < RECORDS; i++) {
      String value = split + "@" + (START + i * millisBetween);
      simulation.log().append(split, 0, null, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
  }

  @Test
  void noInputGetsFarAheadOfAnotherWhileTheyCatchUp() {
    for (long seed = 1; seed <= 20; seed++) {
      long furthest = run(seed, 1 + (int) seed % 2, Duration.ofMillis(BOUND_MILLIS));
      long of = seed;
      assertTrue(
          furthest <= BOUND_MILLIS + SLACK_MILLIS,
          () -> "seed " + of + ": one was " + Duration.ofMillis(furthest) + " ahead");
    }
  }

  /// Without a bound they do, so the test can fail.
  @Test
  void withoutABoundTheyDo() {
    long furthest = run(1, 1, Duration.ofDays(1));
    assertTrue(furthest > 4 * (BOUND_MILLIS + SLACK_MILLIS), () -> furthest + " ms");
  }

  /// An input that has nothing more holds nobody back, whatever its time.
  @Test
  void anInputAtItsEndIsNotWaitedFor() {
    Simulation simulation =
        new Simulation(1, new Reading(new Seen()), SimulationSettings.of("slow", "fast"));
    simulation.log().createTopic("slow", 1);
    simulation.log().createTopic("fast", 1);
    simulation.log().createTopic("out", 1);
    simulation
        .log()
        .append(
            new Split("slow", 0),
            0,
            null,
            "slow-0@0".getBytes(StandardCharsets.UTF_8),
            new byte[0]);
    write(simulation, new Split("fast", 0), 10_000);
    simulation.startAll();
    while (simulation.log().records("out").size() <= RECORDS) {
      simulation.step();
      assertTrue(simulation.steps() < 3_000, simulation::state);
    }
  }
}
