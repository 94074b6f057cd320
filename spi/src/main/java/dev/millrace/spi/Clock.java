package dev.millrace.spi;

/// The time, read once a batch. Thread-safe.
public interface Clock {

  /// Milliseconds since 1970 (UTC). May jump; decides nothing but timestamps and ages in days.
  long millis();

  /// Nanoseconds since an arbitrary moment; never goes back. Decides intervals.
  long nanos();
}
