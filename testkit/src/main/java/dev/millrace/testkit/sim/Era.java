package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// When the items of a topology happen. Drawn times lie close together; where windows are those of
/// a calendar, all topics together leave out hours or days now and then, so that an input of a
/// minute meets several midnights, and among them one near which clocks are changed.
///
/// @param zone of days, weeks, months and years
/// @param startMillis of the first item
/// @param gapsMillis what is left out after each [#STRETCH_MILLIS]
record Era(ZoneId zone, long startMillis, List<Long> gapsMillis) {
  private static final long PLAIN_START_MILLIS = 1_000_000;
  private static final String BEFORE_1970 = "before 1970";
  private static final long STRETCH_MILLIS = 7_000;
  private static final int GAPS = 6;

  /// Clocks are changed at night, at midnight, over midnight, by half an hour, by a day.
  private static final List<String> ZONES =
      List.of(
          "Europe/Zurich",
          "America/St_Johns",
          "America/Sao_Paulo",
          "America/Havana",
          "Australia/Lord_Howe",
          "Pacific/Apia",
          "Africa/Cairo");

  /// Without gaps, soon after 1970.
  static Era plain() {
    return new Era(ZoneId.of("UTC"), PLAIN_START_MILLIS, List.of());
  }

  /// What suits windows.
  static Era drawn(Seed seed, Collection<Op.Cut> cuts) {
    if (cuts.stream().noneMatch(Op.Cut::ofCalendar)) {
      return seed.fork(BEFORE_1970).chance(0.4) ? before1970(seed.fork(BEFORE_1970)) : plain();
    }
    return drawn(seed, cuts.contains(Op.Cut.YEARS));
  }

  /// Without gaps, and either before 1970 or from before to behind its beginning.
  private static Era before1970(Seed seed) {
    long start = seed.fork("across").coin() ? -seed.below(60_000) : -1_000_000_000_000L;
    return new Era(ZoneId.of("UTC"), start - seed.below(10_000), List.of());
  }

  /// Around a change of clocks, or about the turn of a month or year.
  private static Era drawn(Seed seed, boolean years) {
    ZoneId zone = ZoneId.of(seed.pick(ZONES));
    Instant first = Instant.parse("1988-01-01T00:00:00Z");
    Seed earlier = seed.fork(BEFORE_1970);
    Instant some =
        (earlier.chance(0.4)
                ? first.minus(Duration.ofDays(18 * 365 + earlier.below(9_000)))
                : first)
            .plus(Duration.ofHours(seed.below(220_000)));
    ZoneOffsetTransition change = zone.getRules().nextTransition(some);
    Instant start =
        change != null && seed.chance(0.7)
            ? change.getInstant().minusMillis(seed.below(30 * 3_600_000))
            : midnight(some, zone, true).minusMillis(seed.below(30_000));
    Seed turn = seed.fork("turn of the year");
    if (years && turn.chance(0.8)) {
      start = endOfYear(some, zone).minusMillis(turn.below(30_000));
    }
    List<Long> gaps = new ArrayList<>();
    Instant at = start;
    for (int i = 0; i < GAPS; i++) {
      at = at.plusMillis(STRETCH_MILLIS);
      Instant next =
          switch (seed.below(4)) {
            case 0 -> at;
            case 1 -> at.plusMillis(seed.below(40 * 3_600_000));
            default -> midnight(at, zone, false).minusMillis(seed.below((int) STRETCH_MILLIS));
          };
      long gap = Math.max(0, at.until(next, ChronoUnit.MILLIS));
      gaps.add(gap);
      at = at.plusMillis(gap);
    }
    return new Era(zone, start.toEpochMilli(), gaps);
  }

  /// The next midnight, or that at the end of the month.
  private static Instant midnight(Instant time, ZoneId zone, boolean ofMonth) {
    ZonedDateTime day = time.atZone(zone).truncatedTo(ChronoUnit.DAYS);
    return (ofMonth ? day.withDayOfMonth(1).plusMonths(1) : day.plusDays(1)).toInstant();
  }

  private static Instant endOfYear(Instant time, ZoneId zone) {
    return time.atZone(zone).truncatedTo(ChronoUnit.DAYS).withDayOfYear(1).plusYears(1).toInstant();
  }

  /// The event time, in milliseconds since 1970 (UTC), so long after the start but for what is left
  /// out.
  long at(long millis) {
    long at = startMillis + millis;
    for (int i = 0; i < gapsMillis.size() && millis >= (i + 1) * STRETCH_MILLIS; i++) {
      at += gapsMillis.get(i);
    }
    return at;
  }
}
