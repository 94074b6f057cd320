package dev.millrace.benchmarks.nexmark.query;

import java.time.LocalDate;
import java.util.stream.IntStream;

/// Days and minutes (UTC) as texts.
public final class Times {
  private static final long DAY_MILLIS = 86_400_000;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int HOUR_MINUTES = 60;
  private static final String[] MINUTES =
      IntStream.range(0, (int) (DAY_MILLIS / MINUTE_MILLIS))
          .mapToObj(minute -> "%02d:%02d".formatted(minute / HOUR_MINUTES, minute % HOUR_MINUTES))
          .toArray(String[]::new);

  private Times() {}

  /// The day of a time, counted from 1970-01-01.
  static long epochDay(long millis) {
    return Math.floorDiv(millis, DAY_MILLIS);
  }

  /// `2015-07-15`.
  public static String day(long millis) {
    return LocalDate.ofEpochDay(epochDay(millis)).toString();
  }

  /// `09:05`.
  public static String minute(long millis) {
    return MINUTES[(int) (Math.floorMod(millis, DAY_MILLIS) / MINUTE_MILLIS)];
  }

  /// From 0 to 23.
  public static int hour(long millis) {
    return (int) (Math.floorMod(millis, DAY_MILLIS) / (MINUTE_MILLIS * HOUR_MINUTES));
  }
}
