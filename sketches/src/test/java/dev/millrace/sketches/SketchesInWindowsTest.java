package dev.millrace.sketches;

import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.sessions;
import static dev.millrace.api.Windows.tumbling;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.job.Harsh;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Whole applications, with late records, under what must not matter.
class SketchesInWindowsTest {
  private static final long START = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

  /// Stands for so many calls at one time, so that few records make large sketches.
  record Calls(String page, Instant at, int first, int count) {
    List<Call> each() {
      return IntStream.range(first, first + count)
          .mapToObj(i -> new Call(page, "user" + i % 700, i * 7919 % 1009, at))
          .toList();
    }
  }

  record Call(String page, String user, int millis, Instant at) {}

  /// What a window has.
  ///
  /// @param about a distinct count, or the median
  record Found(String page, Instant from, Instant to, double about, double largest) {}

  /// Distinct users by the minute, medians in overlapping windows and in sessions.
  private static final class Windows implements StreamApplication {
    @Override
    public String name() {
      return "sketches";
    }

    @Override
    public void describe(Topology topology) {
      var byPage =
          topology
              .from(Kafka.source("calls").value(Serdes.record(Calls.class)).eventTime(Calls::at))
              .flatMap(Calls::each)
              .as(Serdes.record(Call.class))
              .groupBy("by-page", Call::page);
      byPage
          .window(tumbling(ofMinutes(1)).allowedLateness(ofHours(1)))
          .aggregate("users", Sketches.distinct(Call::user))
          .as(DistinctCount.serde())
          .results(r -> found(r, (double) r.value().estimate(), (double) r.value().upper()))
          .to(sink("users"));
      byPage
          .window(tumbling(ofMinutes(1)).allowedLateness(ofHours(1)))
          .aggregate("by-minute", Sketches.distinct(Call::user))
          .as(DistinctCount.serde())
          .results(r -> r.value())
          .as(DistinctCount.serde())
          .groupByKey()
          .window(tumbling(ofMinutes(3)).allowedLateness(ofHours(1)))
          .aggregate("together", Sketches.distinctOfAll(minute -> minute))
          .as(DistinctCount.serde())
          .results(r -> found(r, (double) r.value().estimate(), (double) r.value().upper()))
          .to(sink("users-of-minutes"));
      byPage
          .window(hopping(ofMinutes(2), ofMinutes(1)).allowedLateness(ofHours(1)))
          .aggregate("medians", Sketches.percentiles(Call::millis))
          .as(Percentiles.serde())
          .results(r -> found(r, r.value().quantile(0.5), r.value().largest()))
          .to(sink("medians"));
      byPage
          .window(sessions(ofSeconds(30)).allowedLateness(ofHours(1)))
          .aggregate("visits", Sketches.percentiles(Call::millis))
          .as(Percentiles.serde())
          .results(r -> found(r, r.value().quantile(0.5), r.value().largest()))
          .to(sink("visits"));
    }

    private static Found found(WindowResult<String, ?> result, double about, double largest) {
      return new Found(
          result.key(), result.window().start(), result.window().end(), about, largest);
    }

    private static KafkaKeyedSink<String, Found> sink(String topic) {
      return Kafka.sink(topic)
          .key(Serdes.string())
          .value(Serdes.record(Found.class))
          .withRetractions();
    }
  }

  /// Medians of all that came so far.
  private static final class SoFar implements StreamApplication {
    @Override
    public String name() {
      return "so-far";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("calls").value(Serdes.record(Calls.class)).eventTime(Calls::at))
          .flatMap(Calls::each)
          .as(Serdes.record(Call.class))
          .groupBy("by-page", Call::page)
          .aggregate("so-far", Sketches.percentiles(Call::millis))
          .as(Percentiles.serde())
          .mapValues(all -> all.quantile(0.5))
          .as(Serdes.doubles())
          .to(Kafka.sink("so-far").key(Serdes.string()).value(Serdes.doubles()));
    }
  }

  private static List<Calls> drawn(long seed) {
    Random random = new Random(seed);
    List<Calls> sent = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      // Times rise on the whole; some records are late by up to three minutes.
      long second = i * 14L - (random.nextInt(3) == 0 ? random.nextInt(180) : 0);
      sent.add(
          new Calls(
              "page" + random.nextInt(2),
              Instant.ofEpochMilli(START + second * 1000),
              random.nextInt(1000),
              1 + random.nextInt(90)));
    }
    return sent;
  }

  /// By page and start of the window, in millis.
  private static Map<String, List<Call>> aligned(List<Calls> sent, long size, long every) {
    Map<String, List<Call>> windows = new TreeMap<>();
    for (Calls calls : sent) {
      long time = calls.at().toEpochMilli();
      for (long start = time - time % every; start > time - size; start -= every) {
        windows
            .computeIfAbsent(name(calls.page(), start, start + size), _ -> new ArrayList<>())
            .addAll(calls.each());
      }
    }
    return windows;
  }

  private static Map<String, List<Call>> sessionsOf(List<Calls> sent, long gap) {
    Map<String, List<Call>> windows = new TreeMap<>();
    for (String page : List.of("page0", "page1")) {
      Set<Long> times = new TreeSet<>();
      sent.stream()
          .filter(calls -> calls.page().equals(page))
          .forEach(calls -> times.add(calls.at().toEpochMilli()));
      List<Long> session = new ArrayList<>();
      for (Long time : times) {
        if (!session.isEmpty() && time - session.getLast() >= gap) {
          close(page, session, gap, sent, windows);
        }
        session.add(time);
      }
      close(page, session, gap, sent, windows);
    }
    return windows;
  }

  private static void close(
      String page,
      List<Long> session,
      long gap,
      List<Calls> sent,
      Map<String, List<Call>> windows) {
    if (!session.isEmpty()) {
      List<Call> all = new ArrayList<>();
      for (Calls calls : sent) {
        if (calls.page().equals(page) && session.contains(calls.at().toEpochMilli())) {
          all.addAll(calls.each());
        }
      }
      windows.put(name(page, session.getFirst(), session.getLast() + gap), all);
      session.clear();
    }
  }

  private static String name(String page, long start, long end) {
    return page + " " + Instant.ofEpochMilli(start) + " " + Instant.ofEpochMilli(end);
  }

  private static Map<String, Found> results(TestJob job, String topic) {
    Map<String, Found> results = new TreeMap<>();
    for (Object value : job.output(topic).values()) {
      Found found = (Found) value;
      String window = name(found.page(), found.from().toEpochMilli(), found.to().toEpochMilli());
      Found other = results.put(window, found);
      assertTrue(other == null, "not taken back: " + other);
    }
    return results;
  }

  private static void assertUsers(TestJob job, String topic, Map<String, List<Call>> expected) {
    Map<String, Found> results = results(job, topic);
    assertEquals(expected.keySet(), results.keySet());
    expected.forEach((window, calls) -> {
      Set<String> users = new HashSet<>();
      calls.forEach(call -> users.add(call.user()));
      double about = results.get(window).about();
      assertTrue(Math.abs(about - users.size()) <= 0.06 * users.size(), about + ": " + window);
    });
  }

  private static void assertMedians(TestJob job, String topic, Map<String, List<Call>> expected) {
    Map<String, Found> results = results(job, topic);
    assertEquals(expected.keySet(), results.keySet());
    expected.forEach((window, calls) -> {
      int[] sorted = calls.stream().mapToInt(Call::millis).sorted().toArray();
      double median = results.get(window).about();
      int below = (int) IntStream.of(sorted).filter(each -> each < median).count();
      int upTo = (int) IntStream.of(sorted).filter(each -> each <= median).count();
      double slack = sorted.length > 256 ? 0.01 * sorted.length : 0;
      assertTrue(
          below - slack <= sorted.length / 2.0 && sorted.length / 2.0 <= upTo + slack, window);
      assertEquals(sorted[sorted.length - 1], results.get(window).largest());
    });
  }

  private static void assertSoFar(TestJob job, List<Calls> sent) {
    Map<Object, Object> latest = job.output("so-far").latest();
    assertEquals(Set.of("page0", "page1"), latest.keySet());
    latest.forEach((page, median) -> {
      int[] sorted =
          sent.stream()
              .filter(calls -> calls.page().equals(page))
              .flatMap(calls -> calls.each().stream())
              .mapToInt(Call::millis)
              .sorted()
              .toArray();
      long below = IntStream.of(sorted).filter(each -> each < (Double) median).count();
      assertEquals(0.5, (double) below / sorted.length, 0.01 + 1.0 / sorted.length);
    });
  }

  @Test
  void resultsAreNearTheTruthAndTheSameWhateverHappens() {
    List<Calls> sent = drawn(2);
    Harsh.of(
            new Windows(),
            job -> {
              var calls = job.partitions(1).input("calls");
              sent.forEach(each -> calls.at(each.at()).send(each));
              calls.end();
            })
        .then(job -> {
          assertUsers(job, "users", aligned(sent, 60_000, 60_000));
          assertUsers(job, "users-of-minutes", aligned(sent, 180_000, 180_000));
          assertMedians(job, "medians", aligned(sent, 120_000, 60_000));
          assertMedians(job, "visits", sessionsOf(sent, 30_000));
        })
        .check();
  }

  @Test
  void withoutAWindowEachRecordHasAResult() {
    List<Calls> sent = drawn(3);
    try (TestJob job = TestJob.of(new SoFar())) {
      for (int i = 0; i < sent.size(); i++) {
        job.input("calls").at(sent.get(i).at()).send(sent.get(i));
        if (i == 6) {
          job.crash();
        } else if (i == 12) {
          job.restart();
        }
      }
      assertSoFar(job, sent);
    }
  }
}
