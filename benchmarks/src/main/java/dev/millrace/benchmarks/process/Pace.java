package dev.millrace.benchmarks.process;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/// Does something at a steady rate.
public final class Pace {
  private static final long SECOND = 1_000_000_000;
  private static final long PARK_NANOS = 200_000;

  private Pace() {}

  /// Calls an action with 0, 1 and so on, each when it is due; those that are late are called at
  /// once.
  public static void keep(long count, double perSecond, LongConsumer action) {
    keep(number -> number < count, perSecond, action);
  }

  /// The same as long as it goes on.
  ///
  /// @param goesOn is asked with the number of the next call, also while that is not due yet
  public static void keep(LongPredicate goesOn, double perSecond, LongConsumer action) {
    long start = System.nanoTime();
    for (long number = 0; goesOn.test(number); number++) {
      long due = start + (long) (number * (SECOND / perSecond));
      while (System.nanoTime() < due && goesOn.test(number)) {
        LockSupport.parkNanos(PARK_NANOS);
      }
      if (goesOn.test(number)) {
        action.accept(number);
      }
    }
  }
}
