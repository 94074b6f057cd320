package dev.millrace.spi;

/// Returns the time; read once a batch. Thread-safe.
public interface Clock {

  /// Returns the clocks of this machine.
  static Clock system() {
    return new SystemClock();
  }

  /// Returns milliseconds since 1970 (UTC). They may jump, so they are used only for timestamps and
  /// for ages in days.
  long millis();

  /// Returns nanoseconds since an arbitrary moment. They never decrease, and are used for
  /// intervals.
  long nanos();
}
