package dev.millrace.internal.engine.time;

import dev.millrace.spi.Clock;

/// The time that a task writes into its commit records: never before that of the last one, and
/// between two starts as much later as time has gone by, whatever becomes of the machine's clock.
public final class TaskClock {
  private static final long NANOS_A_MILLI = 1_000_000;

  private final Clock clock;
  private final long startMillis;
  private final long startNanos;

  /// @param committedMillis the time in the last commit record; `Long.MIN_VALUE` if there is none
  public TaskClock(Clock clock, long committedMillis) {
    this.clock = clock;
    startMillis = Math.max(committedMillis, clock.millis());
    startNanos = clock.nanos();
  }

  /// Milliseconds since 1970.
  public long millis() {
    return startMillis + (clock.nanos() - startNanos) / NANOS_A_MILLI;
  }
}
