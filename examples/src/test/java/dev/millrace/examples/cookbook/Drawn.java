package dev.millrace.examples.cookbook;

import dev.millrace.testkit.Seed;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.List;

/// What a test of a pattern draws: the times of its records, of which some are late, their
/// contents, and what happens to the job in between.
final class Drawn {
  /// Where times begin: that of the job's clock.
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Seed seed;
  private final int mostLateSeconds;
  private Instant now = START;

  /// @param mostLateSeconds how far a record may be behind those before it
  Drawn(long seed, int mostLateSeconds) {
    this.seed = new Seed(seed);
    this.mostLateSeconds = mostLateSeconds;
  }

  /// From 0 on.
  int below(int bound) {
    return seed.below(bound);
  }

  <T> T oneOf(List<T> choices) {
    return seed.pick(choices);
  }

  /// Lets time go on by less than so many seconds, and gives the time of a record: one of four is
  /// late.
  Instant time(int seconds) {
    now = now.plusMillis(below(seconds * 1000));
    return below(4) == 0 ? now.minusMillis(below(mostLateSeconds * 1000)) : now;
  }

  /// The latest time so far.
  Instant now() {
    return now;
  }

  /// Has the job process what it was given, or be stopped or killed in the middle of it.
  void goOn(TestJob job) {
    switch (below(5)) {
      case 0 -> job.restart();
      case 1 -> job.crash();
      case 2 -> job.crashLosingDisks();
      default -> job.process();
    }
  }
}
