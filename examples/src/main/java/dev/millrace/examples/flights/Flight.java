package dev.millrace.examples.flights;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A scheduled flight.
///
/// @param scheduled the scheduled departure, read as UTC: the event time
/// @param depDelay minutes behind the schedule at departure; negative if early, null if it never
///   left
/// @param arrDelay minutes behind the schedule at arrival; null if it never left, or landed
///   elsewhere
public record Flight(
    Instant scheduled,
    String carrier,
    int number,
    String origin,
    String dest,
    @Nullable Integer depDelay,
    @Nullable Integer arrDelay) {

  /// From how many minutes on a flight counts as delayed.
  public static final int TOLERATED_MINUTES = 15;

  boolean leftLate() {
    return depDelay != null && depDelay > TOLERATED_MINUTES;
  }

  boolean landedLate() {
    return arrDelay != null && arrDelay > TOLERATED_MINUTES;
  }

  boolean landed() {
    return arrDelay != null;
  }
}
