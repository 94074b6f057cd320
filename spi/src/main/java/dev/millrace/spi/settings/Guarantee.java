package dev.millrace.spi.settings;

/// How often a result is written if something fails.
public enum Guarantee {
  /// Results are written in the transaction that holds the state they came from.
  EXACTLY_ONCE,
  /// Results are written outside the transaction and acknowledged before it: seen earlier, and some
  /// again after a failure. What a process that died had in flight may arrive after what its
  /// successor wrote, so the last record of a key may be an older one.
  AT_LEAST_ONCE
}
