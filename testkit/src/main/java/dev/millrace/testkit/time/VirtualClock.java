package dev.millrace.testkit.time;

import dev.millrace.spi.Clock;
import java.time.Duration;
import java.time.Instant;

/// A clock that moves only when told to. Used by one thread.
public final class VirtualClock implements Clock {
  private static final Instant DEFAULT_START = Instant.parse("2026-01-01T00:00:00Z");

  private final long startMillis;
  private long nanos;

  /// A clock that starts at the beginning of 2026 (UTC).
  public VirtualClock() {
    this(DEFAULT_START);
  }

  /// @param start what [#millis] shows before the first move
  public VirtualClock(Instant start) {
    startMillis = start.toEpochMilli();
  }

  @Override
  public long millis() {
    return startMillis + nanos / 1_000_000;
  }

  /// Nanoseconds since the clock was made.
  @Override
  public long nanos() {
    return nanos;
  }

  /// Moves the clock on.
  ///
  /// @throws IllegalArgumentException if `by` is negative: this clock never goes back
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("A clock cannot be moved back, here by " + by + ".");
    }
    nanos += by.toNanos();
  }

  /// Moves the clock on to a moment, or leaves it where it is if it is later already.
  ///
  /// @param moment in terms of [#nanos]
  public void advanceTo(long moment) {
    nanos = Math.max(nanos, moment);
  }

  /// This clock as a host sees it whose time of day is wrong; intervals are the same.
  ///
  /// @param ahead how far the host's time of day is ahead; may be negative
  public Clock skewed(Duration ahead) {
    long aheadMillis = ahead.toMillis();
    return new Clock() {
      @Override
      public long millis() {
        return VirtualClock.this.millis() + aheadMillis;
      }

      @Override
      public long nanos() {
        return nanos;
      }
    };
  }
}
