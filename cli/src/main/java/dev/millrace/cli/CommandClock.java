package dev.millrace.cli;

import dev.millrace.spi.Clock;

/// The clocks of the machine on which a command runs.
record CommandClock() implements Clock {
  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
