package dev.millrace.benchmarks.scenarios;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// Counts what a thread has processed. Costs next to nothing, as it is written by one thread only
/// and without a barrier. There may be many in a process; [#total] adds them up.
public final class Tally {
  private static final List<Tally> ALL = new CopyOnWriteArrayList<>();

  private final AtomicLong count = new AtomicLong();

  private Tally() {}

  /// A new one, for one thread.
  public static Tally create() {
    Tally tally = new Tally();
    ALL.add(tally);
    return tally;
  }

  public void add(long records) {
    count.setOpaque(count.getPlain() + records);
  }

  /// Leaves out of [#total] what was created until now.
  static void forget() {
    ALL.clear();
  }

  /// What all of this process have counted. Thread-safe.
  public static long total() {
    long total = 0;
    for (Tally tally : ALL) {
      total += tally.count.getOpaque();
    }
    return total;
  }
}
