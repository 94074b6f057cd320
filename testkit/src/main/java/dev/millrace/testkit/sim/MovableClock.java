package dev.millrace.testkit.sim;

import dev.millrace.spi.Clock;
import java.time.Duration;

/// The clock of one host: its time of day is as wrong as somebody has set it.
final class MovableClock implements Clock {
  private final Clock right;
  private long aheadMillis;

  MovableClock(Clock right) {
    this.right = right;
  }

  /// @param ahead of what is right; may be negative
  void set(Duration ahead) {
    aheadMillis = ahead.toMillis();
  }

  @Override
  public long millis() {
    return right.millis() + aheadMillis;
  }

  @Override
  public long nanos() {
    return right.nanos();
  }
}
