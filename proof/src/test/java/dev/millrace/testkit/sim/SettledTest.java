package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.disk.ModelFiles;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Whether a container says that all of its tasks have begun.
class SettledTest {
  private static final int MOST_STEPS = 10_000;

  private final ModelLog log = ModelLog.of(1);
  private final AtomicBoolean found = new AtomicBoolean();

  private record Counting() implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .count("counts")
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.longs()));
    }

    @Override
    public String name() {
      return "counting";
    }
  }

  /// A position that the log does not have any more is told before the job says that it runs: so a
  /// task that has come does not count as begun before its positions are looked at.
  @Test
  void aTaskThatHasJustComeIsNotSettledBeforeItsPositionsAreFound() {
    log.createTopic("in", 1);
    log.createTopic("out", 1);
    Engine engine = engine();
    stepUntil(engine, engine::settled); // it has nothing to do
    engine.take(0, 1, true);
    stepUntil(engine, () -> isOwned(engine));
    assertFalse(engine.settled());
    for (int i = 0; i < 100; i++) {
      step(engine);
      assertFalse(engine.settled(), "Nothing is known of its position.");
    }
    found.set(true);
    step(engine);
    assertTrue(engine.settled());
    engine.abandon();
  }

  private void stepUntil(Engine engine, BooleanSupplier done) {
    for (int i = 0; !done.getAsBoolean(); i++) {
      assertTrue(i < MOST_STEPS, "That does not happen.");
      step(engine);
    }
  }

  private static boolean isOwned(Engine engine) {
    HeldTask task = engine.held().get(0);
    return task != null && task.stage() == HeldTask.Stage.OWNED;
  }

  private void step(Engine engine) {
    assertEquals(1, engine.workers().size());
    engine.workers().getFirst().step(Duration.ZERO);
    Objects.requireNonNull(engine.follower()).step(Duration.ZERO);
    log.advance(Duration.ofMillis(1));
  }

  private Engine engine() {
    TopologyGraph graph = TopologyGraph.of(new Counting());
    Plan plan = Planner.plan("counting", graph, Map.of("in", 1));
    EngineSettings settings =
        SimulationSettings.engineSettings(Duration.ofMillis(10), Duration.ofSeconds(10));
    Topics.needed(plan, settings.errors()).forEach(log::createTopic);
    Surroundings surroundings =
        new Surroundings(
            hidesPositions(log.client("process")),
            new SortedRunDisks(new ModelFiles(1).mount(), 4),
            log.clock(),
            Sources.connect(graph));
    return new Engine(
        plan,
        Placement.ofMember("member", 1, Placement.Groups.OF_WORKERS),
        settings,
        MemoryLimits.defaults(),
        surroundings);
  }

  /// A log whose readers do not know their positions until [#found] is set.
  private Log hidesPositions(Log real) {
    return Interposed.before(
        Log.class,
        real,
        (name, _, call) ->
            name.equals("reader") ? hidesPositions((SplitReader) call.go()) : call.go());
  }

  private SplitReader hidesPositions(SplitReader real) {
    return Interposed.before(
        SplitReader.class,
        real,
        (name, _, call) -> name.equals("isFound") ? found.get() : call.go());
  }
}
