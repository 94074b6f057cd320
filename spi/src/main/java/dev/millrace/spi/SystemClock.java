package dev.millrace.spi;

record SystemClock() implements Clock {
  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
