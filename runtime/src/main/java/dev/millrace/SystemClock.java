package dev.millrace;

import dev.millrace.spi.Clock;

/// The machine's clocks.
final class SystemClock implements Clock {
  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
