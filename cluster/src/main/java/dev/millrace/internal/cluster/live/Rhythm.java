package dev.millrace.internal.cluster.live;

import java.time.Duration;

/// How often members say that they live, and how long they may be silent.
///
/// With many members signs are rarer, so that there are at most about 2,000 in a second, and
/// silence is longer.
public final class Rhythm {
  /// How often members say that they live, unless there are very many.
  public static final Duration BEAT = Duration.ofSeconds(1);

  /// How many beats a member may be silent. One that dies says its last sign up to one beat before
  /// that, so it is missed within three seconds.
  private static final double PATIENCE_BEATS = 2.5;

  private static final int SIGNS_PER_SECOND = 2000;

  private Rhythm() {}

  /// Returns the time between two signs of a member.
  public static long beatNanos(int members) {
    return (long) (BEAT.toNanos() * Math.max(1.0, members / (double) SIGNS_PER_SECOND));
  }

  /// Returns how long a member may be silent.
  public static long patienceNanos(int members) {
    return (long) (PATIENCE_BEATS * beatNanos(members));
  }
}
