package dev.millrace.api;

import dev.millrace.api.function.Mapper;
import java.time.Duration;
import java.time.ZoneId;

/// How event time is divided into windows, and when their results are emitted.
///
/// A window's result is emitted when the watermark reaches the window's end; [#early] adds results
/// before that. Records that arrive after it are late: within the [allowed
/// lateness][#allowedLateness] they correct the result, beyond it they are too late, and counted. A
/// result that replaces another one retracts it; see [WindowedTable].
///
/// ```java
/// orders
///     .groupByKey()
///     .window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)).early(ofMinutes(1)))
///     .count("orders-of-hour")
/// ```
public sealed interface Windows {

  /// Returns windows of one size that follow each other without gaps, aligned to 1970-01-01T00:00Z.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofMinutes(5)))
  /// ```
  ///
  /// @throws IllegalArgumentException if the size is not a positive number of milliseconds
  static Windows tumbling(Duration size) {
    return new Tumbling(size, Timing.of(size));
  }

  /// Returns windows of one size, of which one begins after every period, aligned to
  /// 1970-01-01T00:00Z. A record is in all windows that contain its time. What is reduced is
  /// combined in the order of time slices.
  ///
  /// ```java
  /// ordersOfKey.window(hopping(ofHours(1), ofMinutes(5)))
  /// ```
  ///
  /// @param every at most the size
  /// @throws IllegalArgumentException if one is not a positive number of milliseconds
  static Windows hopping(Duration size, Duration every) {
    return new Hopping(size, every, Timing.of(size));
  }

  /// Returns days in a time zone, from midnight to midnight: 23 or 25 hours where clocks are
  /// changed. Where clocks go back over midnight, the repeated part of a day belongs to that day.
  ///
  /// ```java
  /// ordersOfKey.window(days(ZoneId.of("Europe/Zurich")))
  /// ```
  static Windows days(ZoneId zone) {
    return new Calendar(Calendar.Unit.DAY, zone, Timing.of(Timing.LONGEST));
  }

  /// Returns weeks in a time zone, from Monday to Sunday.
  ///
  /// ```java
  /// ordersOfKey.window(weeks(ZoneOffset.UTC))
  /// ```
  static Windows weeks(ZoneId zone) {
    return new Calendar(Calendar.Unit.WEEK, zone, Timing.of(Timing.LONGEST));
  }

  /// Returns months in a time zone.
  ///
  /// ```java
  /// ordersOfKey.window(months(ZoneOffset.UTC))
  /// ```
  static Windows months(ZoneId zone) {
    return new Calendar(Calendar.Unit.MONTH, zone, Timing.of(Timing.LONGEST));
  }

  /// Returns years in a time zone.
  ///
  /// ```java
  /// ordersOfKey.window(years(ZoneOffset.UTC))
  /// ```
  static Windows years(ZoneId zone) {
    return new Calendar(Calendar.Unit.YEAR, zone, Timing.of(Timing.LONGEST));
  }

  /// Returns sessions: windows of records of a key of which each is less than `gap` later than the
  /// one before. A window begins with the first record and ends `gap` after the last.
  ///
  /// Sessions of a key never overlap: a record from before the end of a final session is too late,
  /// though its own time may not be. A session is final when the watermark has passed its end by
  /// the [allowed lateness][#allowedLateness].
  ///
  /// ```java
  /// ordersOfKey.window(sessions(ofMinutes(30)))
  /// ```
  ///
  /// @throws IllegalArgumentException if the gap is not a positive number of milliseconds
  static Windows sessions(Duration gap) {
    return new Session(gap, Timing.of(gap));
  }

  /// Returns a window for each record: it ends with the record and begins `size` before, so its
  /// result is of all records of the key in between. Records of a key at the same time share one.
  /// All values are kept. Counts, `reduce` and [aggregates that can be merged][Aggregate#merging]
  /// share the results of parts among windows of many records; otherwise each result is computed
  /// from all values.
  ///
  /// ```java
  /// ordersOfKey.window(sliding(ofMinutes(10)))
  /// ```
  ///
  /// @throws IllegalArgumentException if the size is not a positive number of milliseconds
  static Windows sliding(Duration size) {
    return new Sliding(size, Timing.of(size));
  }

  /// Returns windows without gaps, aligned to 1970-01-01T00:00Z, whose size each record gives: for
  /// example how often a member wants a digest, which a join with a table has put there. Records of
  /// a key with another size are in other windows. A size is a positive number of milliseconds. The
  /// allowed lateness is a minute unless it is set.
  ///
  /// ```java
  /// ordersOfKey.window(sizedBy((Order order) -> order.period()))
  /// ```
  ///
  /// @param size a pure function of the record's value
  static <V> Windows sizedBy(Mapper<V, Duration> size) {
    return new Sized<>(size, Timing.of(Duration.ZERO));
  }

  /// Returns windows of a number of records of a key each, in the order in which they are
  /// processed. A window begins with the time of its first record and ends after its last; its
  /// result is emitted with that record, at the latest event time, and final. When a bounded input
  /// ends, so do the windows that are not full. Results that are corrected are refused before them;
  /// see [BaseStream#withoutRetractions] for the ways out.
  ///
  /// ```java
  /// ordersOfKey.window(ofRecords(100))
  /// ```
  static Windows ofRecords(int records) {
    if (records < 1) {
      throw new IllegalArgumentException(
          "A window has at least one record; found " + records + ".");
    }
    return new Counted(records, Timing.NONE);
  }

  /// Returns one window of all records of a key, from the first to the last. Its result is emitted
  /// when a bounded input ends, and [early][#early]: without either, never. Results that are
  /// corrected are refused before it, as before [#ofRecords].
  ///
  /// ```java
  /// ordersOfKey.window(all().early(1_000))
  /// ```
  static Windows all() {
    return new All(Timing.NONE);
  }

  /// Sets for how long, in event time after a window's end, a late record corrects the window's
  /// result. The window is kept until then; records that arrive later are [too
  /// late][Windowed#tooLate].
  ///
  /// Unless it is set it is the size of the window, or the gap between sessions, but at least a
  /// minute and at most a day. With zero, results are final.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)))
  /// ```
  ///
  /// @throws IllegalArgumentException if it is negative or no number of milliseconds, or if the
  ///   windows do not end at a time
  default Windows allowedLateness(Duration lateness) {
    return with(timing().withLateness(lateness));
  }

  /// Also emits a result of a window that is still open when the watermark has advanced, at most
  /// once in that much event time and only if records arrived. Only event time counts: while no
  /// record advances the watermark, there is no early result, however long that is.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofHours(1)).early(ofMinutes(1)))
  /// ```
  ///
  /// @throws IllegalArgumentException if it is not a positive number of milliseconds, if these are
  ///   sessions, sliding windows or windows of which each record tells the size, or if results
  ///   [wait until they are final][#onlyFinal]
  default Windows early(Duration every) {
    Timing.requirePositive("The time between early results", every);
    return with(timing().withEarly(every, timing().earlyRecords()));
  }

  /// Also emits a result of a window that is still open after a number of records of a key and
  /// window.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofHours(1)).early(100))
  /// ```
  ///
  /// Tumbling, hopping and calendar windows emit it at the end of a batch of records that are
  /// processed together, so a large batch gives one early result of a key and window, with all of
  /// its records. Windows of a number of records, and [#all], emit it with the record itself.
  ///
  /// @throws IllegalArgumentException if it is less than one, if these are sessions, sliding
  ///   windows or windows of which each record tells the size, or if results [wait until they are
  ///   final][#onlyFinal]
  default Windows early(int records) {
    if (records < 1) {
      throw new IllegalArgumentException(
          "An early result comes after at least one record; found " + records + ".");
    }
    return with(timing().withEarly(timing().earlyEvery(), records));
  }

  /// Emits each result once, when nothing corrects it any more: the allowed lateness after the
  /// window's end. What follows sees event time that much later, so that these results are not late
  /// there.
  ///
  /// ```java
  /// ordersOfKey.window(tumbling(ofHours(1)).allowedLateness(ofMinutes(10)).onlyFinal())
  /// ```
  ///
  /// @throws IllegalArgumentException if there are early results
  default Windows onlyFinal() {
    return with(timing().withOnlyFinal());
  }

  /// Returns when results are emitted.
  Timing timing();

  /// Returns these windows with results at other times.
  Windows with(Timing timing);

  /// When results are emitted but for the end of a window.
  ///
  /// @param earlyEvery zero for no early results by time
  /// @param earlyRecords zero for no early results by number
  /// @param onlyFinal whether a result waits until nothing corrects it
  record Timing(Duration lateness, Duration earlyEvery, int earlyRecords, boolean onlyFinal) {
    static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    /// At the end alone, and final.
    static final Timing NONE = new Timing(Duration.ZERO, Duration.ZERO, 0, false);

    /// That of windows of which nothing else was said.
    static Timing of(Duration size) {
      Duration atLeast = size.compareTo(SHORTEST) < 0 ? SHORTEST : size;
      Duration lateness = atLeast.compareTo(LONGEST) > 0 ? LONGEST : atLeast;
      return new Timing(lateness, Duration.ZERO, 0, false);
    }

    public Timing {
      requireMillis("The allowed lateness", lateness);
      requireMillis("The time between early results", earlyEvery);
      if (earlyRecords < 0) {
        throw new IllegalArgumentException(
            "Early results come after a number of records, or 0 for none; found "
                + earlyRecords
                + ".");
      }
      if (onlyFinal && (earlyRecords > 0 || !earlyEvery.isZero())) {
        throw new IllegalArgumentException(
            "A result cannot be early and wait until it is final. Leave out early(...) or"
                + " onlyFinal().");
      }
    }

    /// Whether there are early results.
    public boolean isEarly() {
      return earlyRecords > 0 || !earlyEvery.isZero();
    }

    Timing withLateness(Duration newLateness) {
      return new Timing(newLateness, earlyEvery, earlyRecords, onlyFinal);
    }

    Timing withEarly(Duration every, int records) {
      return new Timing(lateness, every, records, onlyFinal);
    }

    Timing withOnlyFinal() {
      return new Timing(lateness, earlyEvery, earlyRecords, true);
    }

    void requireNotEarly(String windows) {
      if (isEarly()) {
        throw new IllegalArgumentException(
            windows
                + " have no early results. Leave out early(...), or use tumbling, hopping or"
                + " calendar windows, windows of a number of records, or all().");
      }
    }

    void requireFinal(String windows) {
      if (!lateness.isZero()) {
        throw new IllegalArgumentException(
            windows + " take records as they come; none of them is late.");
      }
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
      timing.requireNotEarly("Sessions");
    }

    @Override
    public Session with(Timing newTiming) {
      return new Session(gap, newTiming);
    }
  }

  /// See [#sliding].
  record Sliding(Duration size, Timing timing) implements Windows {
    public Sliding {
      Timing.requirePositive("A window's size", size);
      timing.requireNotEarly("Sliding windows");
    }

    @Override
    public Sliding with(Timing newTiming) {
      return new Sliding(size, newTiming);
    }
  }

  /// See [#sizedBy].
  record Sized<V>(Mapper<V, Duration> size, Timing timing) implements Windows {
    public Sized {
      timing.requireNotEarly("Windows whose size a record tells");
    }

    @Override
    public Sized<V> with(Timing newTiming) {
      return new Sized<>(size, newTiming);
    }
  }

  /// See [#ofRecords].
  record Counted(int records, Timing timing) implements Windows {
    public Counted {
      timing.requireFinal("Windows of a number of records");
    }

    @Override
    public Counted with(Timing newTiming) {
      return new Counted(records, newTiming);
    }
  }

  /// See [#all].
  record All(Timing timing) implements Windows {
    public All {
      timing.requireFinal("Windows without an end");
    }

    @Override
    public All with(Timing newTiming) {
      return new All(newTiming);
    }
  }
}
