package dev.millrace.internal.engine.commit;

import java.time.Duration;

/// Pauses between tries of something that somebody outside has to mend: the first is short, each
/// twice as long as the one before, none longer than ten seconds. Not thread-safe.
public final class GrowingPause {
  /// The longest pause.
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Duration FIRST = Duration.ofMillis(100);

  private long nextNanos = FIRST.toNanos();

  /// How long to wait now.
  public long nextNanos() {
    long pause = nextNanos;
    nextNanos = Math.min(2 * pause, LONGEST.toNanos());
    return pause;
  }

  /// It was mended: the next pause is the first of others.
  public void reset() {
    nextNanos = FIRST.toNanos();
  }
}
