package dev.millrace.internal.engine.plan;

import java.time.Duration;
import java.util.Locale;

/// Amounts as people say them: `3.1 GB`, `84 GB`, `40 s`. A KB is 1024 bytes, as in the settings.
final class Rounded {
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};
  private static final double STEP = 1024;

  private Rounded() {}

  static String bytes(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= 999.5 && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    boolean tenths = unit > 0 && amount < 9.95;
    return String.format(Locale.ROOT, tenths ? "%.1f %s" : "%.0f %s", amount, UNITS[unit]);
  }

  /// Returns a time in seconds up to 100 s, then in minutes, hours or days.
  static String seconds(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    if (seconds < 100) {
      return seconds + " s";
    }
    if (time.plusSeconds(30).toMinutes() < 100) {
      return time.plusSeconds(30).toMinutes() + " min";
    }
    return time.plusMinutes(30).toHours() < 48
        ? time.plusMinutes(30).toHours() + " h"
        : time.plusHours(12).toDays() + " days";
  }
}
