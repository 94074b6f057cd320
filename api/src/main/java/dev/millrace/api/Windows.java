package dev.millrace.api;

import java.time.Duration;
import java.time.ZoneId;

/// How event time is cut into windows, and when their results go on their way.
///
/// A window's result is emitted when the watermark reaches the window's end; [#early] adds results
/// before that. Records that come behind it are late: within the [allowed
/// lateness][#allowedLateness] they correct the result, beyond it they are dropped and counted. A
/// result that takes the place of another one takes it back; see [WindowedTable].
public sealed interface Windows {

  /// Windows of one size that follow each other without gaps, aligned to 1970-01-01T00:00Z.
  ///
  /// @throws IllegalArgumentException if the size is not a positive number of milliseconds
  static Windows tumbling(Duration size) {
    return new Tumbling(size, Timing.DEFAULT);
  }

  /// Windows of one size of which one begins every so often, aligned to 1970-01-01T00:00Z. A record
  /// is in all that hold its time. What is reduced is combined in the order of time slices, so the
  /// reducer has to be associative.
  ///
  /// @param every at most the size
  /// @throws IllegalArgumentException if one is not a positive number of milliseconds
  static Windows hopping(Duration size, Duration every) {
    return new Hopping(size, every, Timing.DEFAULT);
  }

  /// Days in a time zone, from midnight to midnight; 23 or 25 hours where clocks are changed.
  static Windows days(ZoneId zone) {
    return new Calendar(Calendar.Unit.DAY, zone, Timing.DEFAULT);
  }

  /// Weeks in a time zone, from Monday to Sunday.
  static Windows weeks(ZoneId zone) {
    return new Calendar(Calendar.Unit.WEEK, zone, Timing.DEFAULT);
  }

  /// Months in a time zone.
  static Windows months(ZoneId zone) {
    return new Calendar(Calendar.Unit.MONTH, zone, Timing.DEFAULT);
  }

  /// Years in a time zone.
  static Windows years(ZoneId zone) {
    return new Calendar(Calendar.Unit.YEAR, zone, Timing.DEFAULT);
  }

  /// Sessions: records of a key of which each comes less than `gap` behind the one before. A window
  /// begins with the first and ends `gap` behind the last.
  ///
  /// @throws IllegalArgumentException if the gap is not a positive number of milliseconds
  static Windows sessions(Duration gap) {
    return new Session(gap, Timing.DEFAULT);
  }

  /// For how long, in event time behind a window's end, a late record corrects the window's result.
  /// The window is kept until then; records that come later are dropped and counted.
  ///
  /// @throws IllegalArgumentException if it is negative or no number of milliseconds
  default Windows allowedLateness(Duration lateness) {
    return with(new Timing(lateness, timing().earlyEvery(), timing().earlyRecords()));
  }

  /// Also emits a result of a window that is still open when the watermark has moved on, at most
  /// once in that much event time and only if records came. Not for sessions.
  ///
  /// @throws IllegalArgumentException if it is not a positive number of milliseconds
  default Windows early(Duration every) {
    Timing.requirePositive("The time between early results", every);
    return with(new Timing(timing().lateness(), every, timing().earlyRecords()));
  }

  /// Also emits a result of a window that is still open after so many records of a key. Not for
  /// sessions.
  default Windows early(int records) {
    return with(new Timing(timing().lateness(), timing().earlyEvery(), records));
  }

  /// When results are emitted.
  Timing timing();

  /// The same windows with results at other times.
  Windows with(Timing timing);

  /// When results are emitted but for the end of a window.
  ///
  /// @param earlyEvery zero for no early results by time
  /// @param earlyRecords zero for no early results by number
  record Timing(Duration lateness, Duration earlyEvery, int earlyRecords) {
    static final Timing DEFAULT = new Timing(Duration.ZERO, Duration.ZERO, 0);

    public Timing {
      requireMillis("The allowed lateness", lateness);
      requireMillis("The time between early results", earlyEvery);
      if (earlyRecords < 0) {
        throw new IllegalArgumentException(
            "An early result comes after at least one record; found " + earlyRecords + ".");
      }
    }

    /// Whether there are early results.
    public boolean isEarly() {
      return earlyRecords > 0 || !earlyEvery.isZero();
    }

    private static void requireMillis(String what, Duration duration) {
      if (duration.isNegative() || !duration.equals(Duration.ofMillis(duration.toMillis()))) {
        throw new IllegalArgumentException(
            "%s is a number of whole milliseconds; found %s.".formatted(what, duration));
      }
    }

    static void requirePositive(String what, Duration size) {
      if (size.toMillis() <= 0 || !size.equals(Duration.ofMillis(size.toMillis()))) {
        throw new IllegalArgumentException(
            "%s is a positive number of whole milliseconds; found %s.".formatted(what, size));
      }
    }
  }

  /// See [#tumbling].
  record Tumbling(Duration size, Timing timing) implements Windows {
    public Tumbling {
      Timing.requirePositive("A window's size", size);
    }

    @Override
    public Tumbling with(Timing newTiming) {
      return new Tumbling(size, newTiming);
    }
  }

  /// See [#hopping].
  record Hopping(Duration size, Duration every, Timing timing) implements Windows {
    public Hopping {
      Timing.requirePositive("A window's size", size);
      Timing.requirePositive("The time from one window to the next", every);
      if (every.compareTo(size) > 0) {
        throw new IllegalArgumentException(
            "Windows of %s every %s would have gaps between them.".formatted(size, every));
      }
    }

    @Override
    public Hopping with(Timing newTiming) {
      return new Hopping(size, every, newTiming);
    }
  }

  /// See [#days], [#weeks], [#months] and [#years].
  record Calendar(Unit unit, ZoneId zone, Timing timing) implements Windows {
    /// What a window is.
    public enum Unit {
      DAY,
      WEEK,
      MONTH,
      YEAR
    }

    @Override
    public Calendar with(Timing newTiming) {
      return new Calendar(unit, zone, newTiming);
    }
  }

  /// See [#sessions].
  record Session(Duration gap, Timing timing) implements Windows {
    public Session {
      Timing.requirePositive("The gap between sessions", gap);
      if (timing.isEarly()) {
        throw new IllegalArgumentException("Sessions have no early results.");
      }
    }

    @Override
    public Session with(Timing newTiming) {
      return new Session(gap, newTiming);
    }
  }
}
