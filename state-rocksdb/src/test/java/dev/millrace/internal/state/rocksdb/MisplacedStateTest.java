package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.disk.DirectoryHosts;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Directories of tasks that somebody has mixed up, as by a copy to another host: no task goes on
/// from the state of another.
class MisplacedStateTest {
  private static final int STEPS = 20_000;
  private static final int RECORDS = 100;
  private static final int KEYS = 10;

  /// Joins the values of a key.
  private static final class Joined implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .reduce("joined", (before, next) -> before + next)
          .toStream()
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @TempDir private Path directory;

  @Test
  void tasksWhoseDirectoriesWereExchangedAreRestoredFromTheChangelog() throws IOException {
    Path hosts = directory.resolve("hosts");
    try (DirectoryHosts real =
        new DirectoryHosts(hosts, home -> new RocksDisks(home, RocksDiskConfig.defaults()))) {
      SimulationSettings settings =
          SimulationSettings.of("in")
              .withEngine(
                  SimulationSettings.engineSettings(Duration.ofMillis(2), Duration.ofMillis(5)));
      Simulation simulation = new Simulation(1, new Joined(), settings, real);
      simulation.log().createTopic("in", 2);
      simulation.log().createTopic("out", 2);
      Map<String, String> expected = new TreeMap<>();
      write(simulation, 0, expected);
      simulation.startAll();
      while (flushes(simulation) < 2) {
        simulation.step();
        assertTrue(simulation.steps() < STEPS, simulation::state);
      }
      simulation.crash(0, false);
      exchange(hosts.resolve("container-0-0").resolve("tasks"));
      write(simulation, 1, expected);
      simulation.startAll();
      while (simulation.log().records("out").size() < 2 * RECORDS) {
        simulation.step();
        assertTrue(simulation.steps() < STEPS, simulation::state);
      }
      Map<String, String> found = new TreeMap<>();
      for (ModelRecord record : simulation.log().records("out")) {
        found.put(record.keyText(), record.valueText());
      }
      assertEquals(expected, found);
    }
  }

  private static void write(Simulation simulation, int round, Map<String, String> joined) {
    for (int i = 0; i < RECORDS; i++) {
      String key = "key " + i % KEYS;
      String value = "," + round + "." + i;
      joined.merge(key, value, String::concat);
      simulation
          .log()
          .append(
              new Split("in", Partitioner.partition(Bytes.ofUtf8(key), 2)),
              0,
              key.getBytes(StandardCharsets.UTF_8),
              value.getBytes(StandardCharsets.UTF_8),
              new byte[0]);
    }
  }

  private static long flushes(Simulation simulation) {
    return Objects.requireNonNull(simulation.engine(0)).workerMetrics().getFirst().flushes();
  }

  private static void exchange(Path tasks) throws IOException {
    Path aside = tasks.resolve("aside");
    Files.move(tasks.resolve("0-0"), aside);
    Files.move(tasks.resolve("0-1"), tasks.resolve("0-0"));
    Files.move(aside, tasks.resolve("0-1"));
  }
}
