package dev.millrace.spi.settings;

/// Decides what becomes of a record that cannot be processed, and of a result, a timer or a call
/// that fails: the setting `errors.on-error`.
public enum OnError {
  /// The job stops and names it.
  FAIL,
  /// It is counted, and the job continues without it.
  SKIP,
  /// It is written to the dead-letter topic, in the same transaction, and the job continues without
  /// it.
  DEAD_LETTER
}
