package dev.millrace.internal.cluster.place;

import java.time.Duration;

/// Says how many processes an application should have, from how busy they are. It reads no clock,
/// and is used by one thread.
///
/// It wants more when processes were busy for a while, and fewer when they had little to do for a
/// much longer while; between the two it changes nothing. After each change it waits until the
/// averages that it sees are those of the new number.
public final class Scaling {
  /// Whoever is busier than this may have any amount of work waiting.
  private static final double SATURATED = 0.95;

  private final Bounds bounds;
  private final Rule rule;

  /// When the processes became too busy, and when they had too little to do; -1 if they have not.
  private long busySince = -1;

  private long calmSince = -1;

  private long quietUntil = Long.MIN_VALUE;

  /// How many processes there may be.
  ///
  /// @param least at least 1
  public record Bounds(int least, int most) {
    public Bounds {
      if (least < 1 || most < least) {
        throw new IllegalArgumentException(
            "From %d to %d processes are not possible: give 1 or more, and the smaller number first."
                .formatted(least, most));
      }
    }
  }

  /// When the number changes. Shares are of the time of all workers.
  ///
  /// @param busy above this share processes are too busy
  /// @param busyFor for how long, before there are more
  /// @param calm below this share they have too little to do
  /// @param calmFor for how long, before there are fewer
  /// @param wanted the share that they should be busy with the new number
  /// @param quiet how long a change needs until it is seen in the averages
  public record Rule(
      double busy, Duration busyFor, double calm, Duration calmFor, double wanted, Duration quiet) {
    /// Returns the rule of an application that says nothing about it.
    public static Rule defaults() {
      return new Rule(
          0.8, Duration.ofMinutes(1), 0.4, Duration.ofMinutes(10), 0.7, Duration.ofMinutes(2));
    }
  }

  public Scaling(Bounds bounds, Rule rule) {
    this.bounds = bounds;
    this.rule = rule;
  }

  /// Returns how many processes there should be now.
  ///
  /// @param busyWorkers how many workers all tasks together keep busy
  /// @param workersEach how many workers a process has
  /// @param running how many processes there are
  public int next(double busyWorkers, double workersEach, int running, long nowNanos) {
    int allowed = Math.clamp(running, bounds.least(), bounds.most());
    if (allowed != running) {
      return changed(allowed, nowNanos);
    }
    double share = busyWorkers / (workersEach * running);
    busySince = share <= rule.busy() ? -1 : busySince < 0 ? nowNanos : busySince;
    calmSince = share >= rule.calm() ? -1 : calmSince < 0 ? nowNanos : calmSince;
    if (nowNanos < quietUntil) {
      return running;
    }
    int enough = (int) Math.ceil(busyWorkers / (workersEach * rule.wanted()));
    int wanted = running;
    if (hasBeen(busySince, rule.busyFor(), nowNanos)) {
      wanted = share > SATURATED ? 2 * running : Math.max(running + 1, enough);
    } else if (hasBeen(calmSince, rule.calmFor(), nowNanos)) {
      wanted = Math.min(running, enough);
    }
    wanted = Math.clamp(wanted, bounds.least(), bounds.most());
    return wanted == running ? running : changed(wanted, nowNanos);
  }

  private static boolean hasBeen(long since, Duration howLong, long nowNanos) {
    return since >= 0 && nowNanos - since >= howLong.toNanos();
  }

  private int changed(int wanted, long nowNanos) {
    busySince = -1;
    calmSince = -1;
    quietUntil = nowNanos + rule.quiet().toNanos();
    return wanted;
  }
}
