package dev.millrace.cli;

import java.util.Locale;

/// How long something took, for people.
final class Elapsed {
  private static final double NANOS = 1e9;

  private Elapsed() {}

  /// Returns the time since a reading of [System#nanoTime].
  static String since(long startNanos) {
    return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - startNanos) / NANOS);
  }
}
