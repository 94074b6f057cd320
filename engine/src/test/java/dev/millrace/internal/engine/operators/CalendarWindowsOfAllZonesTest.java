package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Windows.Calendar.Unit;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Days, weeks, months and years around the moments at which clocks were or will be changed, in
/// every zone that has any: windows follow each other without gaps, and each begins when the local
/// date says so for the first time.
///
/// What is expected is found by walking through time and asking for the local date. Where clocks
/// went back over midnight a date comes twice; its second part is in the window that had begun.
class CalendarWindowsOfAllZonesTest {
  private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);

  /// No clock was ever set back by more.
  private static final long FARTHEST_BACK = 48 * HOUR;

  private static final Instant LAST = Instant.parse("2040-01-01T00:00:00Z");

  private static List<ZoneOffsetTransition> transitions(ZoneRules rules) {
    List<ZoneOffsetTransition> all = new ArrayList<>();
    ZoneOffsetTransition next = rules.nextTransition(Instant.parse("1800-01-01T00:00:00Z"));
    while (next != null && next.getInstant().isBefore(LAST)) {
      all.add(next);
      next = rules.nextTransition(next.getInstant());
    }
    return all;
  }

  /// A number that grows by one from a day to the next, or from a week, month or year.
  private static long number(Unit unit, ZoneId zone, long time) {
    LocalDate date = Instant.ofEpochMilli(time).atZone(zone).toLocalDate();
    return switch (unit) {
      case DAY -> date.toEpochDay();
      case WEEK -> Math.floorDiv(date.toEpochDay() + 3, 7); // 1970 began on a Thursday
      case MONTH -> date.getYear() * 12L + date.getMonthValue();
      case YEAR -> date.getYear();
    };
  }

  /// The largest number up to a time.
  private static long reached(Unit unit, ZoneId zone, long time) {
    long most = number(unit, zone, time);
    for (long at = time - FARTHEST_BACK; at < time; at += MINUTE) {
      most = Math.max(most, number(unit, zone, at));
    }
    return most;
  }

  /// The first time with that number or a larger one.
  ///
  /// @param from a time before which there is none
  private static long first(Unit unit, ZoneId zone, long from, long number) {
    long at = from;
    while (number(unit, zone, at) < number) {
      at += HOUR;
    }
    at = Math.max(from, at - FARTHEST_BACK);
    while (number(unit, zone, at) < number) {
      at += MINUTE;
    }
    long not = Math.max(from - 1, at - MINUTE);
    while (at - not > 1) {
      long middle = (at + not) / 2;
      if (number(unit, zone, middle) < number) {
        not = middle;
      } else {
        at = middle;
      }
    }
    return at;
  }

  /// A time before all with a number.
  private static long before(Unit unit, ZoneId zone, long time, long number) {
    long at = time;
    while (number(unit, zone, at) >= number) {
      at -= HOUR;
    }
    return at - FARTHEST_BACK;
  }

  private static void check(Unit unit, ZoneId zone, long time) {
    long reached = reached(unit, zone, time);
    long start = first(unit, zone, before(unit, zone, time, reached), reached);
    long end = first(unit, zone, time, reached + 1);
    String where = unit + " in " + zone + " at " + Instant.ofEpochMilli(time);
    CalendarWindows windows = new CalendarWindows(unit, zone, 0);
    assertEquals(Instant.ofEpochMilli(start), Instant.ofEpochMilli(windows.lastStart(time)), where);
    assertEquals(Instant.ofEpochMilli(end), Instant.ofEpochMilli(windows.end(start)), where);
    assertEquals(end, windows.lastStart(end), where);
    assertEquals(start, windows.lastStart(end - 1), where);
    assertEquals(start, windows.startBefore(end), where);
    assertEquals(start, windows.end(windows.startBefore(start)), where);
    assertTrue(windows.lastClosed(end - 1) < start, where);
    assertEquals(start, windows.lastClosed(end), where);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void windowsFollowEachOtherAndBeginWithTheirDates(long seed) {
    Random random = new Random(seed);
    int zones = 0;
    for (String id : ZoneId.getAvailableZoneIds().stream().sorted().toList()) {
      ZoneId zone = ZoneId.of(id);
      List<ZoneOffsetTransition> changes = transitions(zone.getRules());
      if (!changes.isEmpty()) {
        zones++;
        Unit some = List.of(Unit.values()).get(random.nextInt(4));
        for (Unit unit : List.of(Unit.DAY, Unit.DAY, some)) {
          long change = changes.get(random.nextInt(changes.size())).toEpochSecond() * 1_000;
          check(unit, zone, change + random.nextLong(-30 * HOUR, 30 * HOUR));
        }
      }
    }
    assertTrue(zones > 300, "Only " + zones + " zones change their clocks.");
  }

  /// Clocks that went back over midnight: a minute of the new day, and again an hour of the old
  /// one; and days that a zone passed over, or had twice.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "America/St_Johns 2006-10-29T02:31:00Z",
        "America/St_Johns 2010-11-07T02:31:00Z",
        "America/Havana 2025-11-02T05:00:00Z",
        "America/Sao_Paulo 2018-11-04T03:00:00Z",
        "Pacific/Apia 2011-12-30T10:00:00Z",
        "Pacific/Kwajalein 1969-09-30T13:00:00Z",
        "Pacific/Kwajalein 1993-08-21T12:00:00Z",
        "America/Juneau 1867-10-19T00:31:00Z"
      })
  void oddDaysAreWindowsToo(String place) {
    ZoneId zone = ZoneId.of(place.substring(0, place.indexOf(' ')));
    long change = Instant.parse(place.substring(place.indexOf(' ') + 1)).toEpochMilli();
    for (long minutes = -30 * 60; minutes <= 30 * 60; minutes += 29) {
      check(Unit.DAY, zone, change + minutes * MINUTE);
    }
    for (Unit unit : Unit.values()) {
      check(unit, zone, change - 1);
      check(unit, zone, change);
    }
  }
}
