package dev.millrace.internal.beam.run;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// When a pipeline dies that runs in a test. Its first lives are one step longer each, so that it
/// dies at every place of its beginning; those that follow are as long as is drawn, and the last
/// one lasts.
public final class Crashes {
  /// A pipeline that never dies.
  public static final Crashes NONE = new Crashes(null);

  private static final int BEGINNINGS = 30;
  private static final int MOST = 60;
  private static final int MOST_STEPS = 80;
  private static final Duration COMMITS = Duration.ofMillis(1);

  private final @Nullable Random random;
  private int lives;
  private int left;

  private Crashes(@Nullable Random random) {
    this.random = random;
    left = steps();
  }

  /// Draws when a pipeline dies.
  public static Crashes drawn(long seed) {
    return new Crashes(new Random(seed));
  }

  /// Returns how often the pipeline commits: it cannot get on if it dies more often than that.
  Duration commitInterval(Duration usual) {
    return random == null ? usual : COMMITS;
  }

  /// Returns whether the pipeline dies after the step that it has done.
  boolean afterStep() {
    if (--left > 0) {
      return false;
    }
    lives++;
    left = steps();
    return true;
  }

  private int steps() {
    if (random == null || lives == MOST) {
      return Integer.MAX_VALUE;
    }
    return lives < BEGINNINGS ? lives + 1 : 1 + random.nextInt(MOST_STEPS);
  }
}
