package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.days;
import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Windowed tables that are joined, with records out of order, late ones, early results and
/// crashes: what is left of the joined results is the join of what is left of both tables.
class WindowedTableJoinTest {
  private static final int SEEDS = 40;
  private static final int MORE_SEEDS = 200;
  private static final int KEYS = 4;
  private static final List<String> INPUTS = List.of("a", "b");
  private static final List<String> OUTPUTS =
      List.of("lefts", "rights", "inner", "left", "outer", "top");

  /// @param windows with the timing of the left table
  /// @param right the windows with another timing
  private record Joining(Windows windows, Windows right) implements StreamApplication {

    /// Draws windows, and how long each table waits, corrects and tells results early.
    static Joining drawn(Seed random) {
      Windows windows =
          switch (random.below(3)) {
            case 0 -> tumbling(Duration.ofSeconds(10));
            case 1 -> hopping(Duration.ofSeconds(9), Duration.ofSeconds(3));
            default -> days(ZoneOffset.UTC);
          };
      return new Joining(timed(windows, random), timed(windows, random));
    }

    private static Windows timed(Windows windows, Seed random) {
      Windows late =
          windows.allowedLateness(
              switch (random.below(4)) {
                case 0 -> Duration.ZERO;
                case 1 -> Duration.ofSeconds(5);
                default -> Duration.ofHours(1);
              });
      return switch (random.below(4)) {
        case 0 -> late.onlyFinal();
        case 1 -> late;
        default -> late.early(Duration.ofSeconds(1));
      };
    }

    @Override
    public String name() {
      return "joining";
    }

    private static Windowed<String, String> from(Topology topology, String topic, Windows windows) {
      return topology
          .from(
              Kafka.source(topic)
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value)))
                  .watermark((before, _, time) -> time.minusMillis(200))
                  .asBounded())
          .groupByKey()
          .window(windows);
    }

    @Override
    public void describe(Topology topology) {
      WindowedTable<String, Long> lefts = from(topology, "a", windows).count("lefts");
      WindowedTable<String, String> rights =
          from(topology, "b", right).reduce("rights", (one, other) -> larger(one, other));
      to(lefts.mapValues(count -> "" + count), "lefts");
      to(rights, "rights");
      WindowedTable<String, String> inner = lefts.join("in", rights, (l, r) -> pair("" + l, r));
      to(inner, "inner");
      to(
          lefts.filter(count -> count % 2 == 1).leftJoin("le", rights, (l, r) -> pair("" + l, r)),
          "left");
      to(
          lefts
              .mapValues(count -> "" + count)
              .outerJoin("ou", rights, WindowedTableJoinTest::pair)
              .as(Serdes.string()),
          "outer");
      inner
          .topK(
              "top",
              2,
              r -> r.window().start().toEpochMilli() + " " + r.rank() + " " + r.key() + r.value())
          .to(Kafka.sink("top").value(Serdes.string()).withRetractions());
    }

    private static void to(WindowedTable<String, String> results, String topic) {
      results
          .results(WindowedTableJoinTest::text)
          .to(Kafka.sink(topic).key(Serdes.string()).value(Serdes.string()).withRetractions());
    }
  }

  private static String larger(String one, String other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static String text(WindowResult<String, String> result) {
    return result.window().start().toEpochMilli() + " " + result.key() + "=" + result.value();
  }

  private static String pair(@Nullable String left, @Nullable String right) {
    return left + "+" + right;
  }

  @Test
  void theJoinOfWindowedTablesIsTheJoinOfTheirResults() {
    requireJoined(1, SEEDS);
  }

  @Test
  @Tag("thorough")
  void soItIsUnderMoreSeeds() {
    requireJoined(SEEDS + 1, MORE_SEEDS);
  }

  private static void requireJoined(long from, int seeds) {
    long retracted = EachSeed.sum(from, seeds, WindowedTableJoinTest::run);
    assertTrue(retracted > 10L * seeds, retracted + " joined results were retracted");
  }

  /// @return how many joined results were retracted
  private static int run(long seed) {
    SimulationSettings settings =
        SimulationSettings.of("a", "b")
            .withShape(new Seed(seed).fork("shape").between(1, 2), 1, false);
    Joining joining = Joining.drawn(new Seed(seed).fork("windows"));
    Simulation simulation = new Simulation(seed, joining, settings);
    write(simulation, seed);
    Chaos.run(
        simulation, seed, CrashSchedule.drawn(new Seed(seed), 0.003), Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));
    Map<String, Set<String>> left = new TreeMap<>();
    int retracted = 0;
    for (String topic : OUTPUTS) {
      Map<String, Integer> counts = new TreeMap<>();
      for (ModelRecord record : simulation.log().records(topic)) {
        boolean goes = !record.headers().isEmpty();
        counts.merge(record.valueText(), goes ? -1 : 1, Integer::sum);
        retracted += goes && !topic.endsWith("s") ? 1 : 0;
      }
      counts.values().removeIf(count -> count == 0);
      counts.forEach((result, count) -> assertEquals(1, count, topic + ": " + result));
      left.put(topic, counts.keySet());
    }
    assertFalse(left.get("inner").isEmpty());
    requireJoin(joining.toString(), left);
    return retracted;
  }

  private static void write(Simulation simulation, long seed) {
    Map<String, Integer> partitions = new TreeMap<>();
    for (String topic : INPUTS) {
      partitions.put(topic, new Seed(seed).fork("partitions of " + topic).between(1, 3));
      simulation.log().createTopic(topic, partitions.get(topic));
    }
    OUTPUTS.forEach(topic -> simulation.log().createTopic(topic, 2));
    Seed random = new Seed(seed).fork("records");
    long now = Duration.ofDays(1).toMillis() - 30_000;
    for (int i = 0; i < 150; i++) {
      now += random.below(800);
      String topic = INPUTS.get(random.below(2));
      byte[] key = ("k" + random.below(KEYS)).getBytes(StandardCharsets.UTF_8);
      String value = "" + (now - (random.below(3) == 0 ? random.below(20_000) : 0));
      Split split = new Split(topic, Partitioner.partition(Bytes.of(key), partitions.get(topic)));
      simulation.log().append(split, 0, key, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
  }

  private static void requireJoin(String run, Map<String, Set<String>> left) {
    Map<String, String> lefts = byPlace(left.get("lefts"));
    Map<String, String> rights = byPlace(left.get("rights"));
    Set<String> places = new TreeSet<>(lefts.keySet());
    places.addAll(rights.keySet());
    assertEquals(
        joined(places, (l, r) -> l == null || r == null ? null : pair(l, r), lefts, rights),
        left.get("inner"),
        run);
    assertEquals(
        joined(
            places,
            (l, r) -> l == null || Long.parseLong(l) % 2 == 0 ? null : pair(l, r),
            lefts,
            rights),
        left.get("left"),
        run);
    assertEquals(
        joined(places, WindowedTableJoinTest::pair, lefts, rights), left.get("outer"), run);
    assertEquals(best(left.get("inner")), left.get("top"), run);
  }

  /// The results by window and key, of which there is one each.
  private static Map<String, String> byPlace(Set<String> results) {
    Map<String, String> all = new TreeMap<>();
    for (String result : results) {
      String[] parts = result.split("=");
      assertEquals(null, all.put(parts[0], parts[1]), "two results of " + parts[0]);
    }
    return all;
  }

  private static Set<String> joined(
      Set<String> places,
      BiFunction<@Nullable String, @Nullable String, @Nullable String> joiner,
      Map<String, String> lefts,
      Map<String, String> rights) {
    Set<String> all = new TreeSet<>();
    for (String place : places) {
      String value = joiner.apply(lefts.get(place), rights.get(place));
      if (value != null) {
        all.add(place + "=" + value);
      }
    }
    return all;
  }

  /// The two largest of each window.
  private static Set<String> best(Set<String> inner) {
    Map<String, List<String[]>> windows = new TreeMap<>();
    for (String result : inner) {
      String[] parts = result.split("[ =]");
      windows.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts);
    }
    Set<String> all = new TreeSet<>();
    windows.forEach((window, results) -> {
      results.sort(
          Comparator.comparing((String[] parts) -> parts[2])
              .reversed()
              .thenComparing(parts -> parts[1]));
      for (int i = 0; i < Math.min(2, results.size()); i++) {
        all.add(window + " " + (i + 1) + " " + results.get(i)[1] + results.get(i)[2]);
      }
    });
    return all;
  }
}
