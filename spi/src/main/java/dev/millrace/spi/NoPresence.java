package dev.millrace.spi;

import java.time.Duration;

/// What is known without any service: nothing.
enum NoPresence implements Presence {
  INSTANCE;

  @Override
  public void enter(String member, long life, Runnable changed) {}

  @Override
  public Sight of(String member, long life) {
    return Sight.UNKNOWN;
  }

  @Override
  public long changes() {
    return 0;
  }

  @Override
  public Duration patience() {
    return Duration.ZERO;
  }

  @Override
  public void close() {}
}
