package dev.millrace.internal.state;

/// The time by which values of a task's stores expire. It does not change between two commits.
final class StoreClock {
  private long millis = Long.MIN_VALUE;

  /// Returns the time in milliseconds since 1970.
  long millis() {
    return millis;
  }

  void set(long newMillis) {
    millis = newMillis;
  }
}
