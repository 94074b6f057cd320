package dev.millrace.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;
import java.util.TreeMap;

/// Which local date it was when, found by asking minute by minute. A date that comes twice, as
/// clocks go back over midnight, is over when the next one has come first.
final class LocalDates {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final ZoneId zone;

  /// Each date by its first millisecond.
  private final TreeMap<Long, LocalDate> dates = new TreeMap<>();

  private long asked;
  private LocalDate last;

  /// @param from no earlier time is asked for
  LocalDates(ZoneId zone, long from) {
    this.zone = zone;
    asked = Math.floorDiv(from - 2 * DAY, MINUTE) * MINUTE;
    last = at(zone, asked);
    dates.put(asked, last);
  }

  private static LocalDate at(ZoneId zone, long time) {
    return Instant.ofEpochMilli(time).atZone(zone).toLocalDate();
  }

  private void askUpTo(long time) {
    while (asked <= time) {
      asked += MINUTE;
      LocalDate date = at(zone, asked);
      if (date.isAfter(last)) {
        dates.put(asked, date);
        last = date;
      }
    }
  }

  /// The first time at which the day, week, month or year of a time is over.
  long end(long time, Op.Cut cut) {
    askUpTo(time);
    LocalDate date = Objects.requireNonNull(dates.floorEntry(time)).getValue();
    long end = time;
    while (true) {
      askUpTo(end + 1);
      Long next = dates.higherKey(end);
      if (next == null) {
        end = asked;
      } else if (isSame(cut, date, Objects.requireNonNull(dates.get(next)))) {
        end = next;
      } else {
        return next;
      }
    }
  }

  private static boolean isSame(Op.Cut cut, LocalDate one, LocalDate other) {
    return switch (cut) {
      case WEEKS -> week(one) == week(other);
      case MONTHS -> one.getYear() == other.getYear() && one.getMonth() == other.getMonth();
      case YEARS -> one.getYear() == other.getYear();
      default -> one.equals(other);
    };
  }

  /// Weeks since that of 1970-01-01, which was a Thursday.
  private static long week(LocalDate date) {
    return Math.floorDiv(date.toEpochDay() + 3, 7);
  }
}
