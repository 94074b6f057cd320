package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Split;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// A process that stood still while another one took its tasks over and went on with them.
class StoodStillTest {
  private static final int MOST_STEPS = 10_000;

  private final ModelLog log = ModelLog.of(1);
  private final Plan plan = plan();
  private final Engine first = engine("first");
  private final Engine second = engine("second");
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

  private static Plan plan() {
    return Planner.plan("counting", TopologyGraph.of(new Counting()), Map.of("in", 1));
  }

  /// It asks for records of an exchange that the other one has read and deleted. That is no loss,
  /// but the first that it learns of the other one.
  @Test
  void whatOthersHaveReadAndDeletedMeanwhileIsNotMissed() {
    takeAll(first, 1, false);
    write(3);
    stepUntil(() -> rows().size() == 3, first);
    takeAll(second, 2, true);
    write(3);
    stepUntil(() -> rows().size() == 6, second);
    second.purge();
    stepUntil(() -> first.held().isEmpty(), first, second);
    assertNull(first.failure());
    takeAll(first, 3, true);
    write(3);
    stepUntil(() -> rows().size() == 9, first, second);
    assertNull(first.failure());
    assertNull(second.failure());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), rows());
    first.abandon();
    second.abandon();
  }

  private void takeAll(Engine engine, long version, boolean force) {
    plan.tasks().forEach(task -> engine.take(task.number(), version, force));
  }

  private void write(int records) {
    byte[] word = "word".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < records; i++) {
      log.append(new Split("in", 0), written++, word, word, new byte[0]);
    }
  }

  private List<Long> rows() {
    List<Long> rows = new ArrayList<>();
    for (ModelRecord record : log.records("out", 0)) {
      rows.add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    return rows;
  }

  private void stepUntil(BooleanSupplier done, Engine... engines) {
    for (int i = 0; !done.getAsBoolean(); i++) {
      assertTrue(i < MOST_STEPS, "That does not happen.");
      for (Engine engine : engines) {
        engine.workers().forEach(worker -> worker.step(Duration.ZERO));
        Objects.requireNonNull(engine.follower()).step(Duration.ZERO);
      }
      log.advance(Duration.ofMillis(1));
    }
  }

  private Engine engine(String process) {
    EngineSettings settings =
        SimulationSettings.engineSettings(Duration.ofMillis(10), Duration.ofSeconds(10));
    if (process.equals("first")) {
      log.createTopic("in", 1);
      log.createTopic("out", 1);
      Topics.needed(plan, settings.errors()).forEach(log::createTopic);
    }
    Surroundings surroundings =
        new Surroundings(
            log.client(process),
            new SortedRunDisks(new ModelFiles(1).mount(), 4),
            log.clock(),
            Sources.connect(TopologyGraph.of(new Counting())));
    return new Engine(
        plan,
        Placement.ofMember(process, 1, Placement.Groups.OF_WORKERS),
        settings,
        MemoryLimits.defaults(),
        surroundings);
  }
}
