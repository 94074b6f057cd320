package dev.millrace.api;

import java.time.Duration;

/// How near in event time the records of two streams are that are joined.
public sealed interface Within {

  /// Records that are at most that far from each other.
  ///
  /// @throws IllegalArgumentException if it is negative or no number of milliseconds
  static Within of(Duration distance) {
    return of(distance, distance);
  }

  /// Records of which the other stream's is at most `before` earlier and at most `after` later. One
  /// may be negative: `of(ofMinutes(-1), ofMinutes(5))` is from one to five minutes later.
  ///
  /// @throws IllegalArgumentException if both together are negative, or one is no number of
  ///   milliseconds
  static Within of(Duration before, Duration after) {
    return new Interval(before, after, Windows.Timing.of(before.plus(after)).lateness());
  }

  /// Records that are in one window, in each that holds both. The results are those of the window:
  /// they come when it ends, with the event time of its end minus one millisecond.
  static Within window(Windows windows) {
    return new SameWindow(windows);
  }

  /// For how long, in event time behind the watermark or behind the window's end, a late record
  /// still finds its partners; what was emitted for want of one is taken back. Behind that it is
  /// dropped and counted. Unless said otherwise it is as long as records may be apart, at least a
  /// minute and at most a day; for windows as they have it.
  ///
  /// @throws IllegalArgumentException if it is negative or no number of milliseconds
  Within allowedLateness(Duration lateness);

  /// See [#of(Duration, Duration)].
  ///
  /// @param before by how much the other stream's record may be earlier; negative if it must be
  ///   later
  /// @param after by how much it may be later; negative if it must be earlier
  /// @param lateness for how long behind the watermark a late record still finds its partners
  record Interval(Duration before, Duration after, Duration lateness) implements Within {
    public Interval {
      requireMillis(before);
      requireMillis(after);
      requireMillis(lateness);
      if (before.plus(after).isNegative() || lateness.isNegative()) {
        throw new IllegalArgumentException(
            "before + after must not be negative, the lateness neither; found before=%s, after=%s, lateness=%s."
                .formatted(before, after, lateness));
      }
    }

    @Override
    public Interval allowedLateness(Duration newLateness) {
      return new Interval(before, after, newLateness);
    }

    private static void requireMillis(Duration duration) {
      if (!duration.equals(Duration.ofMillis(duration.toMillis()))) {
        throw new IllegalArgumentException(
            "A join's times are whole milliseconds; found " + duration + ".");
      }
    }
  }

  /// See [#window].
  record SameWindow(Windows windows) implements Within {
    @Override
    public SameWindow allowedLateness(Duration lateness) {
      return new SameWindow(windows.allowedLateness(lateness));
    }
  }
}
