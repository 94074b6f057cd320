package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.DirectoryHosts;
import dev.millrace.testkit.disk.FileWear;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job whose state files, of a real RocksDB, are damaged again and again, between two runs and
/// under way: bits inverted, files cut, zeroed, lengthened and deleted. What is wrong is never
/// served: every result is what a plain computation says, as if nothing had been.
class DamagedStateTest {
  private static final int KEYS = 300;
  private static final int STEPS = 5_000;

  /// Adds the values of a key, in a way that tells their order.
  private static final class Totals implements StreamApplication {
    @Override
    public String name() {
      return "last";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .reduce("totals", DamagedStateTest::next)
          .toStream()
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @TempDir private Path directory;
  private final Map<String, String> totals = new TreeMap<>();
  private final Seed seed = new Seed(1);
  private int round;
  private int replayedWhole;

  private static String next(String before, String value) {
    return Integer.toHexString(31 * before.hashCode() + value.hashCode()) + "x".repeat(60);
  }

  @Test
  void tenDamages() {
    damage(10);
  }

  @Test
  @Tag("thorough")
  void threeHundredDamages() {
    damage(300);
    assertTrue(replayedWhole > 100, "Noticed only " + replayedWhole);
  }

  private void damage(int times) {
    Path hosts = directory.resolve("hosts");
    try (DirectoryHosts real =
        new DirectoryHosts(hosts, home -> new RocksDisks(home, RocksDiskConfig.defaults()))) {
      Simulation simulation = new Simulation(1, new Totals(), settings(), real);
      simulation.log().createTopic("in", 2);
      simulation.log().createTopic("out", 2);
      Path tasks = hosts.resolve("container-0-0").resolve("tasks");
      simulation.startAll();
      for (int i = 0; i < times; i++) {
        write(simulation);
        awaitFlushes(simulation, 3);
        boolean whileItRuns = seed.coin();
        if (whileItRuns) {
          assertTrue(FileWear.wear(tasks, seed));
          write(simulation);
        }
        simulation.crash(0, false);
        if (!whileItRuns) {
          assertTrue(FileWear.wear(tasks, seed));
        }
        simulation.startAll();
        write(simulation);
        replayedWhole += restored(simulation) >= KEYS / 2 ? 1 : 0;
      }
      assertEquals(List.of(), simulation.failures());
    }
    System.out.printf(
        "damaged state: %d damages, %d noticed and restored from the changelog%n",
        times, replayedWhole);
  }

  /// All that is written is on disk soon, in many runs, of which some are merged. What the
  /// changelog holds does not grow with the rounds.
  private static SimulationSettings settings() {
    return SimulationSettings.of("in")
        .withEngine(SimulationSettings.engineSettings(Duration.ofMillis(2), Duration.ofMillis(3)))
        .withLimits(StateLimits.defaults().withCacheBytes(5_000))
        .withLog(ModelSettings.defaults().withCleaner(Duration.ofMillis(100), 50));
  }

  /// One more value for each key, and waits for what comes of it: one result each, and no other.
  private void write(Simulation simulation) {
    ModelLog log = simulation.log();
    assertEquals(List.of(), log.records("out"), "before round " + round);
    String value = "v" + round++;
    for (int i = 0; i < KEYS; i++) {
      String key = "key " + i;
      totals.merge(key, value, DamagedStateTest::next);
      log.append(
          new Split("in", Partitioner.partition(Bytes.ofUtf8(key), 2)),
          0,
          key.getBytes(StandardCharsets.UTF_8),
          value.getBytes(StandardCharsets.UTF_8),
          new byte[0]);
    }
    long most = simulation.steps() + STEPS;
    while (log.records("out").size() < KEYS) {
      simulation.step();
      assertEquals(List.of(), simulation.failures());
      assertTrue(simulation.steps() < most, simulation::state);
    }
    Map<String, String> found = new TreeMap<>();
    for (ModelRecord record : log.records("out")) {
      found.put(record.keyText(), record.valueText());
    }
    assertEquals(totals, found, "round " + round);
    assertEquals(KEYS, log.records("out").size());
    deleteResults(log);
  }

  /// So that what a round looks at does not grow with the rounds.
  private static void deleteResults(ModelLog log) {
    Map<Split, Long> ends = new TreeMap<>();
    log.offsets(List.of(new Split("out", 0), new Split("out", 1)))
        .forEach((split, offsets) -> ends.put(split, offsets.stableEnd()));
    log.deleteBefore(ends);
  }

  private static void awaitFlushes(Simulation simulation, int more) {
    long wanted = flushes(simulation) + more;
    long most = simulation.steps() + STEPS;
    while (flushes(simulation) < wanted && simulation.steps() < most) {
      simulation.step();
    }
  }

  private static long flushes(Simulation simulation) {
    return engine(simulation).workerMetrics().stream().mapToLong(WorkerMetrics::flushes).sum();
  }

  private static long restored(Simulation simulation) {
    return engine(simulation).taskMetrics().values().stream()
        .mapToLong(TaskMetrics::restored)
        .max()
        .orElse(0);
  }

  private static Engine engine(Simulation simulation) {
    return Objects.requireNonNull(simulation.engine(0));
  }
}
