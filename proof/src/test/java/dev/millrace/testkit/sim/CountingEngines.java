package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// Processes of an application that counts words, behind an exchange, each with a disk of its own
/// and stepped by the test.
final class CountingEngines {
  private static final int MOST_STEPS = 10_000;

  final ModelLog log = ModelLog.of(1);
  final Plan plan = Planner.plan("counting", TopologyGraph.of(new Counting()), Map.of("in", 1));
  private final EngineSettings settings =
      SimulationSettings.engineSettings(Duration.ofMillis(10), Duration.ofMillis(200));
  private int written;

  private record Counting() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupBy("words", word -> word)
          .count("counts")
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.longs()));
    }

    @Override
    public String name() {
      return "counting";
    }
  }

  CountingEngines() {
    log.createTopic("in", 1);
    log.createTopic("out", 1);
    Topics.needed(plan, settings.errors()).forEach(log::createTopic);
  }

  Engine process(String name) {
    return process(name, log.client(name), new ModelFiles(1));
  }

  /// @param files its disk
  Engine process(String name, Log client, ModelFiles files) {
    Surroundings surroundings =
        new Surroundings(
            client,
            new SortedRunDisks(files.mount(), 4),
            log.clock(),
            Sources.connect(TopologyGraph.of(new Counting())));
    return new Engine(
        plan,
        Placement.ofMember(name, 1, Placement.Groups.OF_WORKERS),
        settings,
        MemoryLimits.defaults(),
        surroundings);
  }

  /// Returns whether a process has a task, and processes it.
  static boolean owns(Engine engine, int task) {
    HeldTask held = engine.held().get(task);
    return held != null && held.stage() == HeldTask.Stage.OWNED;
  }

  void takeAll(Engine engine, long version, boolean force) {
    plan.tasks().forEach(task -> engine.take(task.number(), version, force));
  }

  void write(String... words) {
    for (String word : words) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      log.append(new Split("in", 0), written++, text, text, new byte[0]);
    }
  }

  /// Returns how many rows were written.
  int rows() {
    return log.records("out", 0).size();
  }

  /// Returns the counts that were written of each word, in order.
  Map<String, List<Long>> counts() {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (ModelRecord record : log.records("out", 0)) {
      counts
          .computeIfAbsent(
              Serdes.string().read(Objects.requireNonNull(record.key())), _ -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    return counts;
  }

  void stepUntil(BooleanSupplier done, Engine... engines) {
    for (int i = 0; !done.getAsBoolean(); i++) {
      assertTrue(i < MOST_STEPS, "That does not happen.");
      step(engines);
    }
  }

  void step(Engine... engines) {
    for (Engine engine : engines) {
      engine.workers().forEach(worker -> worker.step(Duration.ZERO));
      Objects.requireNonNull(engine.follower()).step(Duration.ZERO);
    }
    log.advance(Duration.ofMillis(1));
  }
}
