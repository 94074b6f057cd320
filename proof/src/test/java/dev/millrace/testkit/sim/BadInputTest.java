package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Records that cannot be decoded, or that a user's function refuses, in a job that is crashed at
/// random: whatever the policy, every other record counts exactly once.
class BadInputTest {
  private static final int SEEDS = 60;
  private static final long MOST_STEPS = 200_000;
  private static final String DEAD_LETTERS = "dead-letters";

  @Test
  void theJobStopsAndNamesTheRecordAndGoesOnWhenToldToSkipIt() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        stopAndSkip(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    System.out.println("crash schedules: " + SEEDS + " with records that stop the job");
  }

  private static void stopAndSkip(long seed) {
    Run run = new Run(seed, OnError.FAIL);
    Set<RecordPlace> skipped = new HashSet<>();
    Set<RecordPlace> atSource = run.job.badAtSource();
    while (!run.completes()) {
      for (Failure failure : run.simulation.failures()) {
        if (failure.kind() == Failure.Kind.BAD_INPUT && skipped.add(named(failure.message()))) {
          RecordPlace place = named(failure.message());
          assertTrue(
              atSource.contains(place) || place.topic().contains("by-remainder"),
              failure.message());
          assertTrue(failure.message().contains("--skip " + place), failure.message());
          assertTrue(failure.message().contains("dead-letter"), failure.message());
          run.job.requirePrefix(Written.by(run.simulation));
          run.simulation.settings(settings(OnError.FAIL, Set.copyOf(skipped)));
        }
      }
    }
    run.assertExact();
    assertTrue(skipped.containsAll(atSource));
    assertEquals(atSource.size() + run.job.refusedBehindTheExchange(), skipped.size());
  }

  /// The place in "cannot process the record at TOPIC:PARTITION:OFFSET in".
  private static RecordPlace named(String message) {
    String[] parts = message.replaceAll("(?s).*the record at (\\S+) in .*", "$1").split(":");
    return new RecordPlace(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
  }

  @Test
  void badRecordsArePassedOver() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed, OnError.SKIP);
      while (!run.completes()) {}
      run.assertExact();
    }
    System.out.println("crash schedules: " + SEEDS + " with records that are passed over");
  }

  @Test
  void aDeadLetterIsWrittenOnceWithItsBytesHeadersCauseAndPlace() {
    int crashed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed, OnError.DEAD_LETTER);
      boolean crashedAround = false;
      while (!run.completes()) {
        // A dead letter is written, and its transaction is not decided.
        if (!crashedAround && !run.simulation.log().undecided(DEAD_LETTERS, 0).isEmpty()) {
          crashedAround = true;
          run.simulation.crash(0, true);
          run.simulation.crash(1, true);
        }
      }
      crashed += crashedAround ? 1 : 0;
      run.assertExact();
    }
    // Now and then a step of the simulation begins such a transaction and ends it.
    assertTrue(crashed > SEEDS * 9 / 10, crashed + " crashes");
    System.out.println("crash schedules: " + crashed + " with dead letters");
  }

  private static EngineSettings settings(OnError policy, Set<RecordPlace> skipped) {
    return SimulationSettings.engineSettings(Duration.ofMillis(20), Duration.ofMillis(200))
        .withErrors(errors ->
            errors
                .withOnError(policy)
                .withDeadLetterTopic(policy == OnError.DEAD_LETTER ? DEAD_LETTERS : "")
                .withSkip(skipped));
  }

  /// One job, from its input to its end.
  private static final class Run {
    private final BadRecordsJob job;
    private final Simulation simulation;
    private final Seed chaos;

    Run(long seed, OnError policy) {
      chaos = new Seed(seed).fork("chaos");
      Seed shape = new Seed(seed).fork("shape");
      SimulationSettings settings =
          SimulationSettings.of("events")
              .withShape(2, shape.between(1, 2), shape.coin())
              .withEngine(settings(policy, Set.of()));
      job = new BadRecordsJob(seed, "", settings);
      simulation = Simulation.prepared(seed, job, settings, Hosts.models());
      simulation.startAll();
    }

    /// Goes on by a step, or a crash.
    ///
    /// @return whether the job has come to its end
    boolean completes() {
      if (simulation.completed()) {
        return true;
      }
      simulation.step();
      if (chaos.chance(0.002)) {
        int victim = chaos.below(2);
        if (chaos.coin()) {
          simulation.crash(victim, chaos.coin());
        } else {
          simulation.crashInDisk(victim, chaos.between(1, 20));
        }
      }
      if (!simulation.allRun() && chaos.chance(0.05)) {
        simulation.startAll();
      }
      assertTrue(simulation.steps() < MOST_STEPS, simulation::state);
      return false;
    }

    void assertExact() {
      simulation.log().advance(Duration.ofSeconds(5));
      job.requireExact(Written.by(simulation));
    }
  }
}
