package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.SiteSpeed.Load;
import dev.millrace.examples.cookbook.SiteSpeed.Slow;
import dev.millrace.examples.cookbook.SiteSpeed.Speed;
import dev.millrace.testkit.job.TestJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteSpeedTest {
  private static final List<String> SITES = List.of("feed", "jobs");
  private static final List<String> COUNTRIES = List.of("CH", "FR", "IN");
  private static final long MINUTE = 60_000;
  private static final long DAY = 1440 * MINUTE;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void percentilesAreThoseOfAllLoadsAndAlertsThoseOfSlowerPlaces(long seed) {
    Drawn drawn = new Drawn(seed, 500);
    List<Load> loads = new ArrayList<>();
    try (TestJob job =
        TestJob.of(new SiteSpeed()).seed(seed).startingAt(Drawn.START.plus(Duration.ofDays(4)))) {
      for (int step = 0; step < 15; step++) {
        for (int i = 0; i < 20; i++) {
          int most = drawn.below(20) == 0 ? 5000 : 800;
          Load load =
              new Load(
                  drawn.oneOf(SITES), drawn.oneOf(COUNTRIES), drawn.below(most), drawn.time(1500));
          loads.add(load);
          job.input("loads").send(load);
        }
        drawn.goOn(job);
      }
      Instant end = drawn.now().plus(Duration.ofMinutes(30));
      job.input("loads").sendToEveryPartition(new Load("end", "end", 1, end));

      Map<String, Speed> speeds = speeds(loads, 5 * MINUTE, MINUTE);
      Map<String, Speed> days = speeds(loads, DAY, DAY);
      assertEquals(speeds, latest(job));
      Map<String, Slow> slow = slow(speeds, days);
      assertTrue(slow.size() > 5, slow.toString());
      assertEquals(slow, alerts(job));
    }
  }

  /// An alert that is no longer justified is followed by a record without a value.
  private static Map<String, Slow> alerts(TestJob job) {
    Map<String, Slow> alerts = new TreeMap<>();
    for (var record : job.output("slow").records()) {
      String window = record.key() + " " + record.timestamp().plusMillis(1);
      if (record.value() == null) {
        alerts.remove(window);
      } else {
        alerts.put(window, (Slow) record.value());
      }
    }
    return alerts;
  }

  private static Map<String, Speed> latest(TestJob job) {
    Map<String, Speed> latest = new TreeMap<>();
    for (Object value : job.output("speed").values()) {
      latest.put(((Speed) value).place() + " " + ((Speed) value).to(), (Speed) value);
    }
    return latest;
  }

  private static Map<String, Speed> speeds(List<Load> loads, long size, long every) {
    Map<String, List<Long>> windows = new TreeMap<>();
    for (Load load : loads) {
      long at = load.at().toEpochMilli();
      for (long end = at / every * every + every; end - size <= at; end += every) {
        windows
            .computeIfAbsent(
                load.site() + "/" + load.country() + " " + Instant.ofEpochMilli(end),
                _ -> new ArrayList<>())
            .add(load.millis());
      }
    }
    Map<String, Speed> speeds = new TreeMap<>();
    windows.forEach((window, millis) -> {
      millis.sort(null);
      String[] parts = window.split(" ");
      speeds.put(
          window,
          new Speed(
              parts[0],
              Instant.parse(parts[1]),
              millis.size(),
              quantile(millis, 5),
              quantile(millis, 9)));
    });
    return speeds;
  }

  /// The least number that so many tenths do not exceed.
  private static double quantile(List<Long> sorted, int tenths) {
    return sorted.get((sorted.size() * tenths + 9) / 10 - 1);
  }

  /// A window that ends within a day is compared with the day before that.
  private static Map<String, Slow> slow(Map<String, Speed> speeds, Map<String, Speed> days) {
    Map<String, Slow> slow = new TreeMap<>();
    speeds.forEach((window, speed) -> {
      Speed before = null;
      for (Speed day : days.values()) {
        if (day.place().equals(speed.place())
            && !day.to().isAfter(speed.to())
            && (before == null || day.to().isAfter(before.to()))) {
          before = day;
        }
      }
      if (before != null && speed.p90() > 1.5 * before.p90()) {
        slow.put(window, new Slow(speed.place(), speed.to(), speed.p90(), before.p90()));
      }
    });
    return slow;
  }
}
