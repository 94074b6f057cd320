package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.sessions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/// Sessions of a key never overlap, and each record is in one of them or told to be too late,
/// whatever is late and whatever crashes. Which of them are too late is a matter of timing.
class LateSessionsTest {
  private static final int SEEDS = 150;
  private static final LateInput INPUT = new LateInput(600, 3, 9_000);
  private static final long GAP_MILLIS = 2_000;

  private int tooLate;
  private int takenBack;

  /// How sessions are kept.
  private enum Kept {
    VALUES,
    REDUCED,
    MERGED
  }

  private record Retained(Kept kept, Duration lateness, boolean onlyFinal)
      implements StreamApplication {
    @Override
    public String name() {
      return "sessions";
    }

    @Override
    public void describe(Topology topology) {
      Windows windows = sessions(Duration.ofMillis(GAP_MILLIS)).allowedLateness(lateness);
      Windowed<String, String> windowed =
          topology
              .from(
                  Kafka.source("in")
                      .key(Serdes.string())
                      .value(Serdes.string())
                      .eventTime(value -> Instant.ofEpochMilli(time(value)))
                      .asBounded())
              .groupByKey()
              .window(onlyFinal ? windows.onlyFinal() : windows)
              .tooLate(
                  late -> late.to(Kafka.sink("late").key(Serdes.string()).value(Serdes.string())));
      var table =
          switch (kept) {
            case VALUES -> windowed.apply("all", (_, values) -> String.join(",", values));
            case REDUCED -> windowed.reduce("all", (all, value) -> all + "," + value);
            case MERGED ->
                windowed.aggregate(
                    "all",
                    Aggregate.<String, String>merging(
                        () -> "", LateSessionsTest::joined, LateSessionsTest::joined));
          };
      table
          .results(r ->
              "%s %d %d=%s"
                  .formatted(
                      r.key(),
                      r.window().start().toEpochMilli(),
                      r.window().end().toEpochMilli(),
                      r.value()))
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()).withRetractions());
    }
  }

  private static String joined(String left, String right) {
    return left.isEmpty() || right.isEmpty() ? left + right : left + "," + right;
  }

  private static long time(String value) {
    return Long.parseLong(value.split(" ")[0]);
  }

  @Test
  void sessionsOfAKeyNeverOverlap() {
    EachSeed.run(1, SEEDS, this::requireApart);
    assertTrue(tooLate > SEEDS, tooLate + " records were too late");
    assertTrue(takenBack > SEEDS, takenBack + " results were taken back");
  }

  private void requireApart(long seed) {
    Seed choices = new Seed(seed).fork("shape");
    Retained application =
        new Retained(
            choices.pick(List.of(Kept.values())),
            Duration.ofMillis(choices.coin() ? 0 : choices.below(5_000)),
            choices.chance(0.3));
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(choices.between(1, 2), 1, false);
    Simulation simulation = new Simulation(seed, application, settings);
    List<String> sent = INPUT.write(simulation, seed);
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), 0.004);
    Chaos.run(simulation, seed, schedule, Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));

    Map<String, String> results = new HashMap<>();
    for (ModelRecord record : simulation.log().records("out")) {
      String[] parts = Objects.requireNonNull(record.valueText()).split("=");
      boolean back =
          record.headers().stream().anyMatch(header -> header.name().equals("millrace.retraction"));
      if (back) {
        assertEquals(results.remove(parts[0]), parts[1], application.toString());
        takenBack++;
      } else {
        assertNull(results.put(parts[0], parts[1]), application.toString());
      }
    }
    List<String> found = new ArrayList<>();
    Map<String, TreeMap<Long, Long>> ends = new TreeMap<>();
    results.forEach((session, joined) -> {
      String[] parts = session.split(" ");
      long first = Long.parseLong(parts[1]);
      long end = Long.parseLong(parts[2]);
      List<String> values = Arrays.asList(joined.split(","));
      requireSession(values, first, end);
      found.addAll(values);
      assertNull(ends.computeIfAbsent(parts[0], _ -> new TreeMap<>()).put(first, end));
    });
    ends.forEach((key, all) ->
        all.forEach((first, end) -> {
          Long next = all.higherKey(first);
          assertTrue(
              next == null || end <= next,
              () ->
                  "%s: of %s, %d to %d overlaps %d".formatted(application, key, first, end, next));
        }));
    for (ModelRecord record : simulation.log().records("late")) {
      found.add(record.valueText());
      tooLate++;
    }
    sent.sort(null);
    found.sort(null);
    assertEquals(sent, found, application.toString());
  }

  /// Its records come less than the gap behind each other, from its start on.
  private static void requireSession(List<String> values, long first, long end) {
    ToLongFunction<String> time = LateSessionsTest::time;
    long[] times = values.stream().mapToLong(time).sorted().toArray();
    assertEquals(first, times[0]);
    for (int i = 1; i < times.length; i++) {
      assertTrue(times[i] - times[i - 1] < GAP_MILLIS, values.toString());
    }
    assertEquals(end, times[times.length - 1] + GAP_MILLIS);
  }
}
