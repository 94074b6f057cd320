package dev.millrace.benchmarks.process;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/// Does something at a steady rate.
public final class Pace {
  private static final long SECOND = 1_000_000_000;
  private static final long PARK_NANOS = 200_000;

  private Pace() {}

  /// Calls an action with 0, 1 and so on, each when it is due; those that are late are called at
  /// once.
  public static void keep(long count, double perSecond, LongConsumer action) {
    long start = System.nanoTime();
    for (long number = 0; number < count; number++) {
      long due = start + (long) (number * (SECOND / perSecond));
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(PARK_NANOS);
      }
      action.accept(number);
    }
  }
}
