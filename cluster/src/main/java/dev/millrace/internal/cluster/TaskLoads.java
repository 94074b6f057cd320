package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.live.Report;
import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// How busy each task of a process is, averaged over about a minute. Used by one thread.
///
/// Weights are rounded, and so are alike from one look to the next as long as the load is.
final class TaskLoads {
  /// Weights are powers of it.
  private static final double STEP = 1.1;

  /// A task that has not been here for so long has no weight of its own yet.
  private static final Duration KNOWN_AFTER = Duration.ofSeconds(20);

  /// Over about so long it is averaged.
  private static final Duration AVERAGED = Duration.ofMinutes(1);

  /// A shorter time says nothing new.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Clock clock;
  private final SortedMap<Integer, Load> loads = new TreeMap<>();

  TaskLoads(Clock clock) {
    this.clock = clock;
  }

  private static final class Load {
    final long sinceNanos;
    long lookedNanos;
    long busyNanos;

    /// The share of a processor that it takes.
    double share;

    Load(long nowNanos, long busyNanos) {
      sinceNanos = nowNanos;
      lookedNanos = nowNanos;
      this.busyNanos = busyNanos;
    }

    void look(long nowNanos, long busy) {
      long passed = nowNanos - lookedNanos;
      if (passed < LOOK.toNanos()) {
        return;
      }
      // Until it is here for that long, the average of all the time.
      double averaged = (double) Math.min(AVERAGED.toNanos(), nowNanos - sinceNanos);
      double now = Math.max(0, busy - busyNanos) / (double) passed;
      share += Math.min(1, passed / averaged) * (now - share);
      lookedNanos = nowNanos;
      busyNanos = busy;
    }
  }

  /// Returns the weight of a task; 0 if it is not known yet.
  ///
  /// @param busyNanos for how long its records have been processed since it came
  double weight(int task, long busyNanos) {
    long now = clock.nanos();
    Load load = loads.computeIfAbsent(task, _ -> new Load(now, busyNanos));
    load.look(now, busyNanos);
    return now - load.sinceNanos < KNOWN_AFTER.toNanos() ? 0 : rounded(Report.weight(load.share));
  }

  /// Forgets tasks that are not here any more.
  void retain(Set<Integer> here) {
    loads.keySet().retainAll(here);
  }

  private static double rounded(double weight) {
    return Math.pow(STEP, Math.rint(Math.log(weight) / Math.log(STEP)));
  }
}
