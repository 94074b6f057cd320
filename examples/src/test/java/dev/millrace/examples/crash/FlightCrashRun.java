package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/// Runs the delayed flights from their first record to the last, with kills on the way, each aimed
/// at another phase.
///
/// A kill follows the line of the trace that begins the phase by up to a few milliseconds, and hits
/// for certain; see [Aim]. What else it has hit is read from the trace afterwards.
final class FlightCrashRun {
  private static final int FEWEST_COMMITS = 3;
  private static final int LAST_PACE = 13_000;

  /// How long after the beginning of a phase its kill comes, at most: about what the phase takes.
  private static final Map<Phase, Duration> DELAYS =
      Map.of(
          Phase.PROCESSING, Duration.ofMillis(5),
          Phase.COMMIT, Duration.ofMillis(10),
          Phase.FLUSH, Duration.ZERO,
          Phase.RESTORE, Duration.ofMillis(100));

  /// @param kills how many
  /// @param hit what the job was doing then, of all kills together
  /// @param millis how long the job was running, of all its lives together
  record Result(int kills, Set<Phase> hit, long millis, FlightCheck.Result check) {}

  private final Path directory;
  private final Random random;
  private final List<Flight> flights;
  private final int recordsPerSecond;
  private final int commitsBetween;
  private final boolean planted;
  private final Planes planes;
  private final List<JobProcess> lives = new ArrayList<>();
  private final EnumSet<Phase> hit = EnumSet.noneOf(Phase.class);

  /// @param recordsPerSecond the pace of the lives that are killed
  /// @param commitsBetween how many commits a life has before it is killed, about, at most
  FlightCrashRun(
      Path directory,
      long seed,
      List<Flight> flights,
      int recordsPerSecond,
      int commitsBetween,
      boolean planted,
      Planes planes) {
    this.directory = directory;
    random = new Random(seed);
    this.flights = flights;
    this.recordsPerSecond = recordsPerSecond;
    this.commitsBetween = commitsBetween;
    this.planted = planted;
    this.planes = planes;
  }

  Result run() throws ExecutionException, InterruptedException {
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      new FlightLoader(broker.bootstrap()).load(flights, written -> {});
      JobProcess.Start start =
          new JobProcess.Start(
              "flights",
              directory,
              recordsPerSecond,
              planted,
              List.of(
                  "--bootstrap=" + broker.bootstrap(),
                  "--commit.interval=50ms",
                  "--memory.budget=512KB",
                  "--state.flush-interval=500ms"));
      for (Phase target : targets()) {
        kill(start, target);
      }
      int kills = lives.size();
      try (JobProcess last = life(start.withPace(LAST_PACE), Aim.NOWHERE)) {
        lives.add(last);
        assertEquals(0, last.awaitEnd(), last.process()::errors);
      }
      commitsOnBothSides();
      return new Result(
          kills, hit, ranMillis(), new FlightCheck(flights).compare(broker.bootstrap()));
    }
  }

  /// Every phase once, in any order; but the first life has nothing to restore.
  private List<Phase> targets() {
    if (planted) {
      return List.of(Phase.COMMIT, Phase.COMMIT);
    }
    List<Phase> targets = new ArrayList<>(List.of(Phase.values()));
    do {
      Collections.shuffle(targets, random);
    } while (targets.getFirst() == Phase.RESTORE);
    return targets;
  }

  private void kill(JobProcess.Start start, Phase target) throws InterruptedException {
    String line = planted ? LateCommitRecords.HELD_BACK : target.begun;
    int commits = target == Phase.RESTORE ? 0 : FEWEST_COMMITS + random.nextInt(commitsBetween);
    try (JobProcess life = life(start, new Aim(line, commits, 0))) {
      lives.add(life);
      assertTrue(
          life.awaitAim(),
          () ->
              "Life " + lives.size() + " ended before " + target + ". " + life.process().errors());
      LockSupport.parkNanos((long) (random.nextDouble() * DELAYS.get(target).toNanos()));
      life.process().kill();
      hit.addAll(Phase.at(life.trace().lines()));
    }
  }

  private JobProcess life(JobProcess.Start start, Aim aim) {
    int number = lives.size();
    return start.life("life-" + number, aim, planes.argument(number));
  }

  /// Every kill lies between commits.
  private void commitsOnBothSides() {
    for (int kill = 0; kill < lives.size() - 1; kill++) {
      String shown = "kill " + kill + " of " + (lives.size() - 1);
      assertTrue(commits(lives.subList(0, kill + 1)) > 0, shown);
      assertTrue(commits(lives.subList(kill + 1, lives.size())) > 0, shown);
    }
  }

  private static long commits(List<JobProcess> some) {
    return some.stream().mapToLong(JobProcess::commits).sum();
  }

  private long ranMillis() {
    long millis = 0;
    for (JobProcess life : lives) {
      List<JobTrace.Line> lines = life.trace().lines();
      millis += lines.getLast().millis() - lines.getFirst().millis();
    }
    return millis;
  }
}
