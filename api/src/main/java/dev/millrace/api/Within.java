package dev.millrace.api;

import java.time.Duration;

/// How near in event time the records of two streams are that are joined.
///
/// @param before by how much the other stream's record may be earlier; negative if it must be later
/// @param after by how much it may be later; negative if it must be earlier
/// @param lateness for how long behind the watermark a late record still finds its partners
public record Within(Duration before, Duration after, Duration lateness) {
  public Within {
    requireMillis(before);
    requireMillis(after);
    requireMillis(lateness);
    if (before.plus(after).isNegative() || lateness.isNegative()) {
      throw new IllegalArgumentException(
          "No record is more than %s earlier and %s later; found with a lateness of %s."
              .formatted(before, after, lateness));
    }
  }

  /// Records that are at most that far from each other.
  public static Within of(Duration distance) {
    return new Within(distance, distance, Duration.ZERO);
  }

  /// Records of which the other stream's is at most `before` earlier and at most `after` later.
  public static Within of(Duration before, Duration after) {
    return new Within(before, after, Duration.ZERO);
  }

  /// For how long, in event time behind the watermark, a late record still finds its partners; what
  /// was emitted for want of one is taken back.
  public Within allowedLateness(Duration newLateness) {
    return new Within(before, after, newLateness);
  }

  private static void requireMillis(Duration duration) {
    if (!duration.equals(Duration.ofMillis(duration.toMillis()))) {
      throw new IllegalArgumentException(
          "A join's times are whole milliseconds; found " + duration + ".");
    }
  }
}
