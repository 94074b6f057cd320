package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Windows.Calendar.Unit;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarWindowsTest {
  private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

  @ParameterizedTest
  @CsvSource({
    // A day of 24 hours, the one of 23, and the one of 25.
    "DAY, 2026-02-01T12:00:00Z, 2026-01-31T23:00:00Z, 2026-02-01T23:00:00Z",
    "DAY, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "DAY, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    // The first and the last moment.
    "DAY, 2026-01-31T23:00:00Z, 2026-01-31T23:00:00Z, 2026-02-01T23:00:00Z",
    "DAY, 2026-02-01T22:59:59.999Z, 2026-01-31T23:00:00Z, 2026-02-01T23:00:00Z",
    // Sunday and Monday.
    "WEEK, 2026-11-22T12:00:00Z, 2026-11-15T23:00:00Z, 2026-11-22T23:00:00Z",
    "WEEK, 2026-11-23T12:00:00Z, 2026-11-22T23:00:00Z, 2026-11-29T23:00:00Z",
    "MONTH, 2024-02-10T12:00:00Z, 2024-01-31T23:00:00Z, 2024-02-29T23:00:00Z",
    "MONTH, 2026-03-10T12:00:00Z, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z",
    "YEAR, 2026-07-01T12:00:00Z, 2025-12-31T23:00:00Z, 2026-12-31T23:00:00Z",
    "DAY, 1969-12-31T12:00:00Z, 1969-12-30T23:00:00Z, 1969-12-31T23:00:00Z",
  })
  void aWindowIsWhatACalendarSays(Unit unit, Instant time, Instant start, Instant end) {
    CalendarWindows windows = new CalendarWindows(unit, ZURICH, 0);
    assertEquals(start.toEpochMilli(), windows.lastStart(time.toEpochMilli()));
    assertEquals(end.toEpochMilli(), windows.end(start.toEpochMilli()));
    assertEquals(start.toEpochMilli(), windows.startBefore(end.toEpochMilli()));
  }

  @Test
  void aDayClosesAtMidnightAndIsGoneWhenItsLatenessIsOver() {
    long hour = 3_600_000;
    CalendarWindows windows = new CalendarWindows(Unit.DAY, ZURICH, 2 * hour);
    long start = Instant.parse("2026-03-28T23:00:00Z").toEpochMilli();
    long end = start + 23 * hour;
    assertEquals(true, windows.lastClosed(end - 1) < start);
    assertEquals(start, windows.lastClosed(end));
    assertEquals(true, windows.lastGone(end + 2 * hour - 1) < start);
    assertEquals(start, windows.lastGone(end + 2 * hour));
    assertEquals(Long.MIN_VALUE, windows.lastClosed(Long.MIN_VALUE));
    assertEquals(true, windows.lastGone(Long.MAX_VALUE) > end);
  }

  @Test
  void aTimeBeyondAllWindowsIsBadInput() {
    CalendarWindows windows = new CalendarWindows(Unit.DAY, ZURICH, 0);
    for (long time : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 3}) {
      assertThrows(IllegalArgumentException.class, () -> windows.lastStart(time));
    }
  }
}
