package dev.millrace.internal.engine.operators;

import dev.millrace.api.Windows.Calendar.Unit;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;

/// Days, weeks, months and years as a calendar has them in a time zone: a day has 23 or 25 hours
/// where clocks are changed. One begins when its date comes first; where clocks go back over
/// midnight, the rest of the day before belongs to it too.
public final class CalendarWindows implements AlignedWindows {
  private final Unit unit;
  private final ZoneId zone;
  private final long latenessMillis;

  /// The window that was asked for last; any thread may put another one there.
  private Span last = new Span(0, 0);

  private record Span(long start, long end) {}

  public CalendarWindows(Unit unit, ZoneId zone, long latenessMillis) {
    this.unit = unit;
    this.zone = zone;
    this.latenessMillis = latenessMillis;
  }

  @Override
  public boolean equalTimes(AlignedWindows others) {
    return others instanceof CalendarWindows calendar
        && calendar.unit == unit
        && calendar.zone.equals(zone);
  }

  @Override
  public long latenessMillis() {
    return latenessMillis;
  }

  @Override
  public long lastStart(long time) {
    return span(time).start;
  }

  @Override
  public long startBefore(long start) {
    return span(start - 1).start;
  }

  @Override
  public long end(long start) {
    return span(start).end;
  }

  /// The one that holds the watermark is still open.
  @Override
  public long lastClosed(long watermark) {
    if (watermark < -FARTHEST) {
      return Long.MIN_VALUE;
    }
    return watermark > FARTHEST ? watermark - 1 : startBefore(span(watermark).start);
  }

  private Span span(long time) {
    Span known = last;
    if (known.start <= time && time < known.end) {
      return known;
    }
    Span found = find(time);
    last = found;
    return found;
  }

  private Span find(long time) {
    Instant instant = Instant.ofEpochMilli(AlignedWindows.requireNear(time));
    LocalDate first = first(LocalDate.ofInstant(instant, zone));
    Span found = new Span(millis(first), millis(next(first)));
    while (found.end <= time) {
      // Clocks went back over midnight, and it is the day before once more.
      first = next(first);
      found = new Span(found.end, millis(next(first)));
    }
    return found;
  }

  private LocalDate first(LocalDate day) {
    return switch (unit) {
      case DAY -> day;
      case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> day.withDayOfMonth(1);
      case YEAR -> day.withDayOfYear(1);
    };
  }

  private LocalDate next(LocalDate first) {
    return switch (unit) {
      case DAY -> first.plusDays(1);
      case WEEK -> first.plusWeeks(1);
      case MONTH -> first.plusMonths(1);
      case YEAR -> first.plusYears(1);
    };
  }

  private long millis(LocalDate day) {
    return day.atStartOfDay(zone).toInstant().toEpochMilli();
  }
}
