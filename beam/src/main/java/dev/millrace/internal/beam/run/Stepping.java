package dev.millrace.internal.beam.run;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.internal.beam.translate.Translation;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.memory.MemoryStore;
import dev.millrace.internal.state.memory.MemoryDisks;
import dev.millrace.spi.Log;
import dev.millrace.spi.settings.SizeLimits;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A pipeline that runs in the thread of who asks for it, on a log in memory: for tests of
/// pipelines. While nothing happens, the time by which the engine paces itself is skipped.
public final class Stepping implements AutoCloseable {
  /// Tasks tell each other that often how far event time has come.
  private static final Duration SKIP = Duration.ofMillis(20);

  /// So many rounds in which nothing happens: what was to be told is told.
  private static final int QUIET = 3;

  /// So many, and what comes next comes by the clock.
  private static final int LONG_QUIET = 50;

  private static final SizeLimits SIZES = SizeLimits.inMemory();

  private final MemoryStore store = new MemoryStore();
  private final Plan plan;
  private final TopologyGraph graph;
  private final EngineSettings settings;
  private final TestClock clock;
  private final Crashes crashes;
  private Life life;

  /// Prepares a pipeline.
  ///
  /// @param clock of the pipeline, which its events may move
  /// @param crashes says when the pipeline dies, and begins anew with what is committed
  /// @throws InvalidTopologyException if it cannot be planned
  public Stepping(String application, Translation translation, TestClock clock, Crashes crashes) {
    this.clock = clock;
    this.crashes = crashes;
    graph = translation.graph();
    plan = Planner.plan(application, graph, translation.streams()).withSizes(SIZES);
    settings =
        EngineSettings.defaults()
            .withCommit(commit -> commit.withInterval(crashes.commitInterval(commit.interval())));
    try (Log log = store.connect()) {
      Topics.needed(plan, settings.errors()).forEach(log::createTopic);
    }
    life = new Life();
  }

  /// What is gone when the pipeline dies.
  private final class Life {
    private final MemoryDisks disks = new MemoryDisks();
    private final Log log = store.connect();
    private final Sources sources = Sources.connect(graph);
    private final Engine engine =
        new Engine(
            plan,
            new Placement(0, 1, 1, Placement.Groups.DIRECT),
            settings,
            MemoryLimits.defaults(),
            new Surroundings(log, disks, clock, sources));

    boolean step() {
      boolean progress = false;
      for (Worker worker : engine.workers()) {
        progress |= worker.step(Duration.ZERO);
      }
      return progress;
    }

    void end() {
      engine.abandon();
      sources.close();
      disks.close();
      log.close();
    }
  }

  /// Runs it to its end.
  ///
  /// @param nanos of the machine's clock that it may take
  /// @return what it failed of; null if it has not failed
  public @Nullable Failure run(long nanos) {
    long end = System.nanoTime() + nanos;
    int quiet = 0;
    while (!life.engine.finished() && life.engine.failure() == null && System.nanoTime() < end) {
      quiet = life.step() ? 0 : quiet + 1;
      if (crashes.afterStep()) {
        dieAndBegin();
        quiet = 0;
      }
      if (quiet > 0 && quiet <= LONG_QUIET) {
        clock.skip(SKIP);
      }
      if (quiet >= QUIET && clock.stands() && life.engine.settled()) {
        clock.giveTurn();
        quiet = 0;
      } else if (quiet > LONG_QUIET) {
        LockSupport.parkNanos(SKIP.toNanos() / QUIET);
      }
    }
    return life.engine.failure();
  }

  private void dieAndBegin() {
    life.end();
    clock.died();
    life = new Life();
  }

  /// Whether all inputs have ended, and all that followed from them is committed.
  public boolean completed() {
    return life.engine.completed();
  }

  @Override
  public void close() {
    life.end();
    store.close();
  }
}
