package dev.millrace.internal.cluster;

import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// How busy each task of a process is, averaged over about a minute. Used by one thread.
///
/// The weight of a task is 1 if it idles, and one more for each twentieth of a processor that it
/// takes: so what idles is shared out by number, and what is busy by how busy it is. Weights are
/// rounded, and so are alike from one look to the next as long as the load is.
public final class TaskLoads {
  private static final double WEIGHT_OF_A_PROCESSOR = 20;

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
      double averaged = Math.min(AVERAGED.toNanos(), nowNanos - sinceNanos);
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
    return now - load.sinceNanos < KNOWN_AFTER.toNanos()
        ? 0
        : rounded(1 + WEIGHT_OF_A_PROCESSOR * load.share);
  }

  /// Forgets tasks that are not here any more.
  void retain(Set<Integer> here) {
    loads.keySet().retainAll(here);
  }

  /// Returns which part of a worker's time a task of some weight takes.
  public static double busy(double weight) {
    return Math.max(0, weight - 1) / WEIGHT_OF_A_PROCESSOR;
  }

  private static double rounded(double weight) {
    return Math.pow(STEP, Math.round(Math.log(weight) / Math.log(STEP)));
  }
}
