package dev.millrace.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a scenario under many seeds, on several threads: each run is one thread's alone.
public final class Simulations {
  private final Scenario scenario;
  private final long from;
  private final long count;
  private final Runner runner;
  private final CrashPoints crashPoints = new CrashPoints();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private long steps;
  private long hash;
  private @Nullable Failed failed;

  /// Runs a seed to its end, on whatever it has to run on; called by several threads.
  @FunctionalInterface
  public interface Runner {
    /// @throws AssertionError if what came of it is not what must come
    Scenario.Seen run(Scenario scenario, long seed, CrashSchedule schedule);
  }

  /// A run that failed.
  public record Failed(long seed, CrashSchedule schedule, Throwable thrown) {}

  /// @param from the first seed
  /// @param count of seeds
  public Simulations(Scenario scenario, long from, long count, Runner runner) {
    this.scenario = scenario;
    this.from = from;
    this.count = count;
    this.runner = runner;
  }

  /// Runs them all, or until one has failed.
  ///
  /// @param progress is told now and then, on the calling thread, how many seeds were run
  /// @return what failed; of several the one with the least seed. Null if nothing did
  public @Nullable Failed run(int threads, Consumer<Long> progress) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(Thread.ofPlatform().daemon().name("simulation-" + i).start(this::work));
    }
    for (Thread thread : all) {
      while (!thread.join(Duration.ofMillis(200))) {
        progress.accept(done.get());
      }
    }
    progress.accept(done.get());
    return failed;
  }

  private void work() {
    for (long i = next.getAndIncrement(); i < count && !hasFailed(); i = next.getAndIncrement()) {
      long seed = from + i;
      CrashSchedule schedule = scenario.schedule(seed);
      try {
        add(seed, runner.run(scenario, seed, schedule));
      } catch (RuntimeException | Error e) { // outermost: any failure is one of the seed
        fail(new Failed(seed, schedule, e));
      }
    }
  }

  private synchronized boolean hasFailed() {
    return failed != null;
  }

  private synchronized void fail(Failed run) {
    if (failed == null || run.seed() < failed.seed()) {
      failed = run;
    }
  }

  private synchronized void add(long seed, Scenario.Seen seen) {
    crashPoints.add(seen.crashPoints());
    steps += seen.steps();
    // A sum does not ask in which order the threads came to it.
    hash += seen.traceHash() * (2 * seed + 1);
    done.incrementAndGet();
  }

  /// What containers were doing when they were crashed.
  public synchronized CrashPoints crashPoints() {
    return crashPoints;
  }

  /// The steps of all runs.
  public synchronized long steps() {
    return steps;
  }

  /// Of the traces of all runs; the same for the same seeds, in every process.
  public synchronized long traceHash() {
    return hash;
  }
}
