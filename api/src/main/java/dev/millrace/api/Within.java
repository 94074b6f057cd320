package dev.millrace.api;

import java.time.Duration;

/// How near in event time the records of two streams must be to be joined.
///
/// ```java
/// orders.join("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
/// ```
public sealed interface Within {

  /// Describes records that are at most that far from each other.
  ///
  /// ```java
  /// stream(payments, Within.of(ofHours(1)))
  /// ```
  ///
  /// @throws IllegalArgumentException if it is negative or no number of milliseconds
  static Within of(Duration distance) {
    return of(distance, distance);
  }

  /// Describes records of which that of the other stream is at most `before` earlier and at most
  /// `after` later. One of them may be negative: this is from one to five minutes later.
  ///
  /// ```java
  /// stream(payments, Within.of(ofMinutes(-1), ofMinutes(5)))
  /// ```
  ///
  /// @throws IllegalArgumentException if both together are negative, or one is no number of
  ///   milliseconds
  static Within of(Duration before, Duration after) {
    return new Interval(before, after, Windows.Timing.of(before.plus(after)).lateness());
  }

  /// Describes records that are in one window, in each window that contains both. The results are
  /// those of the window: they are emitted when it ends, with the event time of its end minus one
  /// millisecond.
  ///
  /// ```java
  /// stream(payments, Within.window(tumbling(ofDays(1))))
  /// ```
  static Within window(Windows windows) {
    return new SameWindow(windows);
  }

  /// Sets for how long, in event time after the watermark or after the window's end, a late record
  /// still finds its partners; a result that was emitted for lack of one is retracted. A later
  /// record is dropped and counted. Unless it is set it is as long as records may be apart, at
  /// least a minute and at most a day; for windows it is theirs.
  ///
  /// ```java
  /// stream(payments, Within.of(ofHours(1)).allowedLateness(ofMinutes(5)))
  /// ```
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
