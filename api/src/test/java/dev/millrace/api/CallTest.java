package dev.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Which times a call may be given.
class CallTest {
  private static final Duration HUNDRED_YEARS = Duration.ofDays(36_500);
  private static final Call<String, String> CALL = Call.blocking(question -> question);

  /// Gives each of a call's times, and finds what has become of it.
  private static final List<Function<Duration, Duration>> TIMES =
      List.of(
          time -> CALL.timeout(time).limits().timeout(),
          time -> CALL.retries(3, time).limits().firstPause(),
          time -> CALL.breaker(3, time).limits().breakFor(),
          time -> CALL.cache(3, time).cache().timeToLive());

  @Test
  void timesOfMoreThanAHundredYearsCountAsAHundred() {
    for (Function<Duration, Duration> time : TIMES) {
      assertEquals(HUNDRED_YEARS, time.apply(ChronoUnit.FOREVER.getDuration()));
      assertEquals(HUNDRED_YEARS, time.apply(HUNDRED_YEARS.plusNanos(1)));
      Duration less = HUNDRED_YEARS.minusNanos(1);
      assertEquals(less, time.apply(less));
      assertEquals(Duration.ofNanos(1), time.apply(Duration.ofNanos(1)));
    }
  }

  @Test
  void timesArePositive() {
    for (Function<Duration, Duration> time : TIMES) {
      assertThrows(InvalidTopologyException.class, () -> time.apply(Duration.ZERO));
      assertThrows(InvalidTopologyException.class, () -> time.apply(Duration.ofNanos(-1)));
    }
  }
}
