package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Protocol;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Bad records in runs: whatever is left is exact, nobody goes back to the last commit for each of
/// them, and each is counted once.
class BadRunsTest {
  private static final int SEEDS = 50;
  private static final long MOST_STEPS = 200_000;
  private static final String DEAD_LETTERS = "dead-letters";

  @Test
  void whatIsLeftIsExactWhateverIsCrashed() {
    Scenario scenario = Scenario.named("bad-runs");
    for (long seed = 1; seed <= SEEDS; seed++) {
      scenario.run(seed, scenario.schedule(seed));
    }
    System.out.println("crash schedules: " + SEEDS + " with runs of bad records");
  }

  @Test
  void countersAreExactAndAWorkerGoesBackOnceATaskAtMost() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Hosts hosts = Hosts.models()) {
        Counted counted = new Counted(seed, hosts);
        counted.run();
        counted.requireCounters(seed);
        long tasks =
            counted.simulation.plan().stages().stream().mapToInt(s -> s.partitions()).sum();
        assertTrue(
            counted.rollBacks <= tasks,
            "seed %d: %d roll-backs of %d tasks".formatted(seed, counted.rollBacks, tasks));
      }
    }
  }

  @Test
  void countersAreExactWhereCommitsAreAborted() {
    int whole = 0;
    long unconfirmed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Hosts hosts = Hosts.models()) {
        Counted counted = new Counted(seed, hosts);
        counted.simulation.disturb(new Seed(seed).fork("faults"));
        counted.run();
        if (counted
            .simulation
            .failures()
            .isEmpty()) { // a process that ends takes its counters with it
          whole++;
          unconfirmed += counted.requireCounters(seed);
        }
      }
    }
    assertTrue(whole > SEEDS / 3, whole + " runs without an end in between");
    assertTrue(unconfirmed > whole, unconfirmed + " commits were aborted, or their outcome lost");
  }

  /// A run, and how often its groups went back to their last commits.
  private static final class Counted {
    private final BadRunsJob job;
    private final Simulation simulation;
    private final Map<CommitGroup, Protocol.State> states = new HashMap<>();
    private int rollBacks;

    Counted(long seed, Hosts hosts) {
      Seed shape = new Seed(seed).fork("shape");
      SimulationSettings settings =
          SimulationSettings.of("events").withShape(1, shape.between(1, 2), shape.coin());
      job =
          new BadRunsJob(
              seed,
              "",
              settings.withEngine(engine ->
                  engine.withErrors(errors ->
                      errors.withOnError(OnError.DEAD_LETTER).withDeadLetterTopic(DEAD_LETTERS))));
      simulation = Simulation.prepared(seed, job, job.settings(), hosts);
      simulation.startAll();
    }

    void run() {
      while (!simulation.completed()) {
        simulation.step();
        if (!simulation.allRun()) {
          simulation.startAll();
        }
        look();
        if (simulation.steps() == MOST_STEPS / 2) {
          simulation.calm();
        }
        assertTrue(simulation.steps() < MOST_STEPS, simulation::state);
      }
      simulation.log().advance(Duration.ofSeconds(5));
      job.requireExact(Written.by(simulation));
    }

    private void look() {
      if (simulation.engine(0) != null) {
        for (CommitGroup group : simulation.engine(0).groups()) {
          Protocol.State before = states.put(group, group.state());
          if (before != null
              && before != Protocol.State.FENCING
              && before != Protocol.State.RESTORING
              && group.state() == Protocol.State.FENCING) {
            rollBacks++;
          }
        }
      }
    }

    /// @return how many commits were aborted, or their outcome not known at first
    long requireCounters(long seed) {
      long skipped = 0;
      long letters = 0;
      for (TaskMetrics metrics :
          Objects.requireNonNull(simulation.engine(0)).taskMetrics().values()) {
        skipped += metrics.skipped();
        letters += metrics.deadLetters();
      }
      assertEquals(job.bad(), skipped, "seed " + seed);
      assertEquals(job.bad(), letters, "seed " + seed);
      return simulation.engine(0).groups().stream()
          .mapToLong(group -> group.metrics().unconfirmedCommits())
          .sum();
    }
  }
}
