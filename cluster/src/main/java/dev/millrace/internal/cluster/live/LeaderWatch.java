package dev.millrace.internal.cluster.live;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Notices that nobody leads. Used by one thread.
///
/// Silence counts only while the log works for this process and this process listens. Each
/// candidate waits for another random time, so that few of them try at once.
public final class LeaderWatch {
  private static final long PATIENCE_NANOS = Rhythm.patienceNanos(1);
  private static final long SHARE_NANOS = Duration.ofMillis(500).toNanos();

  /// The same where nobody leads, and few wait for it.
  private static final long VACANT_SHARE_NANOS = Duration.ofMillis(50).toNanos();

  private static final long LONGEST_STEP_NANOS = Duration.ofMillis(1500).toNanos();

  /// With every how many members the random share gets longer.
  private static final int MEMBERS_A_SHARE = 50;

  /// And how much of it few members need: two that try at once bar one another, and one of them
  /// tries anew.
  private static final double LEAST_SHARE = 0.3;

  private final RandomGenerator random;
  private long heard = -1;
  private boolean begun;
  private long sinceNanos;
  private long lastNanos;
  private double share;

  public LeaderWatch(RandomGenerator random) {
    this.random = random;
  }

  /// Returns whether it is time to try to lead. Whoever tries in vain waits anew.
  ///
  /// @param beats rises with each beat of a leader that is heard
  /// @param vacant whether nobody leads, by what the last leader said
  /// @param works whether the log works for this process
  /// @param patience with the leader, if that is longer than usual
  /// @param members how many there are about
  public boolean isDue(
      long beats, boolean vacant, boolean works, Duration patience, int members, long nowNanos) {
    if (!begun || beats != heard || !works || nowNanos - lastNanos > LONGEST_STEP_NANOS) {
      begun = true;
      heard = beats;
      sinceNanos = nowNanos;
      share = random.nextDouble();
    }
    lastNanos = nowNanos;
    double longest =
        (vacant ? VACANT_SHARE_NANOS : SHARE_NANOS)
            * Math.max(LEAST_SHARE, members / (double) MEMBERS_A_SHARE);
    double wait = (vacant ? 0 : Math.max(PATIENCE_NANOS, patience.toNanos())) + share * longest;
    boolean due = nowNanos - sinceNanos >= wait;
    if (due) {
      begun = false;
    }
    return due;
  }
}
