package dev.millrace.benchmarks.metrics;

import java.util.Locale;

/// What a job does whose metrics are looked at.
enum MetricsCase {
  PASS("records are copied"),
  COUNT("records are counted by key, with a changelog");

  private final String what;

  MetricsCase(String what) {
    this.what = what;
  }

  String what() {
    return what;
  }

  /// Under which name a round is told.
  String round(int round) {
    return name().toLowerCase(Locale.ROOT) + "-" + round;
  }
}
