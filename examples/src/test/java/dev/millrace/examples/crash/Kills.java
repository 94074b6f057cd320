package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// Kills a job every few seconds, for a while, and always starts it again at once: before it is at
/// work, as soon as it is, or later. Lives become longer while none is at work, as on a machine
/// that is busy with other things.
final class Kills {
  private static final double LIFE_SECONDS = 12;
  private static final double LONGER = 1.5;
  private static final long LOOK_NANOS = 1_000_000;

  /// How long the test goes on, unless somebody says otherwise.
  private static final String TIME = System.getProperty("millrace.kills", "PT5M");

  /// A process of the job.
  ///
  /// @param atWork whether it has processed a record
  record Life(JavaProcess process, BooleanSupplier atWork) {}

  private final IntFunction<Life> start;
  private final Random random;
  private final List<Long> backMillis = new ArrayList<>();
  private int kills;

  /// @param start starts the life of a number
  Kills(long seed, IntFunction<Life> start) {
    random = new Random(seed);
    this.start = start;
  }

  static Duration time() {
    return Duration.parse(TIME);
  }

  /// Goes on until the time is over, and leaves nothing running.
  ///
  /// @return what is to be said of it
  String run() throws InterruptedException {
    long end = System.nanoTime() + time().toNanos();
    long killed = System.nanoTime();
    double seconds = LIFE_SECONDS;
    while (System.nanoTime() - end < 0) {
      Life life = start.apply(kills);
      try (JavaProcess process = life.process()) {
        long until = System.nanoTime() + (long) (random.nextDouble() * seconds * 1e9);
        boolean atWork = false;
        while (System.nanoTime() - until < 0) {
          if (!atWork && life.atWork().getAsBoolean()) {
            atWork = true;
            backMillis.add((System.nanoTime() - killed) / 1_000_000);
          }
          assertTrue(process.isAlive(), process::errors);
          LockSupport.parkNanos(LOOK_NANOS);
        }
        killed = System.nanoTime();
        process.kill();
        kills++;
        seconds = atWork ? LIFE_SECONDS : seconds * LONGER;
      }
    }
    assertTrue(backMillis.size() > 1, "It was hardly ever at work.");
    return report();
  }

  private String report() {
    List<Long> sorted = new ArrayList<>(backMillis.subList(1, backMillis.size()));
    Collections.sort(sorted);
    return "%d kills in %s, %d of them of a job at work; from kill to first record: %d ms (median), %d ms (longest)"
        .formatted(
            kills, time(), backMillis.size(), sorted.get(sorted.size() / 2), sorted.getLast());
  }
}
