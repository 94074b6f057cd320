package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Records of several streams that are in the same window, with other numbers of partitions, under
/// crashes and with late ones, against a look at all of them.
class WindowJoinTest {
  private static final int SEEDS = 30;
  private static final int MORE_SEEDS = 150;
  private static final int PARTITIONS = 2;
  private static final List<String> INPUTS = List.of("a", "b", "c");
  private static final List<String> OUTPUTS = List.of("inner", "left", "outer", "all");

  private static Instant time(String value) {
    return Instant.ofEpochMilli(Long.parseLong(value.substring(value.indexOf('@') + 1)));
  }

  private static String pair(@Nullable String left, @Nullable String right) {
    return left + "+" + right;
  }

  private record Joining() implements StreamApplication {
    @Override
    public String name() {
      return "joining";
    }

    private static KeyedStream<String, String> from(Topology topology, String topic) {
      return topology.from(
          Kafka.source(topic)
              .key(Serdes.string())
              .value(Serdes.string())
              .eventTime(WindowJoinTest::time)
              .asBounded());
    }

    @Override
    public void describe(Topology topology) {
      KeyedStream<String, String> a = from(topology, "a");
      KeyedStream<String, String> b = from(topology, "b");
      KeyedStream<String, String> c = from(topology, "c");
      Duration hour = Duration.ofHours(1);
      Within ten = Within.window(tumbling(Duration.ofSeconds(10)).allowedLateness(hour));
      Within overlapping =
          Within.window(hopping(Duration.ofSeconds(9), Duration.ofSeconds(3)))
              .allowedLateness(hour);
      to(a.join("in", stream(b, overlapping), WindowJoinTest::pair), "inner");
      to(a.leftJoin("le", stream(b, ten), WindowJoinTest::pair), "left");
      to(a.outerJoin("ou", stream(b, ten), WindowJoinTest::pair), "outer");
      to(
          a.coGroup(b)
              .and(c)
              .apply(
                  "co",
                  tumbling(Duration.ofSeconds(10)).allowedLateness(hour),
                  (_, sides) -> all(List.of(sides.of(a), sides.of(b), sides.of(c))))
              .results(r -> r.value()),
          "all");
    }

    private static void to(KeyedStream<String, String> results, String topic) {
      results.to(Kafka.sink(topic).key(Serdes.string()).value(Serdes.string()).withRetractions());
    }
  }

  private static String all(List<List<String>> sides) {
    return sides.stream()
        .map(side -> side.stream().sorted().collect(Collectors.joining(",")))
        .collect(Collectors.joining("|"));
  }

  @Test
  void whatIsInOneWindowIsJoined() {
    requireJoined(1, SEEDS);
  }

  @Test
  @Tag("thorough")
  void soItIsUnderMoreSeeds() {
    requireJoined(SEEDS + 1, MORE_SEEDS);
  }

  private static void requireJoined(long from, int seeds) {
    long taken = EachSeed.sum(from, seeds, WindowJoinTest::run);
    assertTrue(taken > seeds, taken + " results were taken back");
  }

  /// @return how many results were taken back
  private static int run(long seed) {
    SimulationSettings settings =
        SimulationSettings.of("a", "b", "c")
            .withShape(new Seed(seed).fork("shape").between(1, 2), 1, false);
    Simulation simulation = new Simulation(seed, new Joining(), settings);
    Map<String, Integer> partitions = new TreeMap<>();
    for (String topic : INPUTS) {
      partitions.put(topic, new Seed(seed).fork("partitions of " + topic).between(1, 3));
      simulation.log().createTopic(topic, partitions.get(topic));
    }
    OUTPUTS.forEach(topic -> simulation.log().createTopic(topic, PARTITIONS));
    Map<String, List<String>> sent = new TreeMap<>();
    Seed random = new Seed(seed).fork("records");
    long now = 1_000_000;
    for (int i = 0; i < 120; i++) {
      now += random.below(800);
      String topic = INPUTS.get(random.below(3));
      String key = "k" + random.below(4);
      String value = topic + i + "@" + (now - (random.below(3) == 0 ? random.below(20_000) : 0));
      sent.computeIfAbsent(topic + " " + key, _ -> new ArrayList<>()).add(value);
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      Split split = new Split(topic, Partitioner.partition(Bytes.of(bytes), partitions.get(topic)));
      simulation.log().append(split, 0, bytes, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
    Chaos.run(
        simulation, seed, CrashSchedule.drawn(new Seed(seed), 0.003), Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));
    int taken = 0;
    for (String topic : OUTPUTS) {
      List<String> found = new ArrayList<>();
      for (ModelRecord record : simulation.log().records(topic)) {
        String row = record.keyText() + "=" + record.valueText() + " " + record.timestamp();
        if (record.headers().isEmpty()) {
          found.add(row);
        } else {
          assertTrue(found.remove(row), "taken back in " + topic + " and not there: " + row);
          taken++;
        }
      }
      found.sort(null);
      assertEquals(expected(topic, sent), found, topic);
    }
    return taken;
  }

  private static List<String> expected(String topic, Map<String, List<String>> sent) {
    long size = topic.equals("inner") ? 9_000 : 10_000;
    long every = topic.equals("inner") ? 3_000 : 10_000;
    List<String> expected = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      String key = "k" + k;
      for (long start = 960_000; start < 1_200_000; start += every) {
        List<List<String>> sides = new ArrayList<>();
        for (String input : INPUTS) {
          long from = start;
          sides.add(
              sent.getOrDefault(input + " " + key, List.of()).stream()
                  .filter(value -> {
                    long at = time(value).toEpochMilli();
                    return at >= from && at < from + size;
                  })
                  .toList());
        }
        List<String> results = new ArrayList<>();
        if (topic.equals("all")) {
          if (sides.stream().anyMatch(side -> !side.isEmpty())) {
            results.add(all(sides));
          }
        } else {
          results.addAll(pairs(sides.get(0), sides.get(1), topic));
        }
        long end = start + size - 1;
        results.forEach(result -> expected.add(key + "=" + result + " " + end));
      }
    }
    expected.sort(null);
    return expected;
  }

  private static List<String> pairs(List<String> left, List<String> right, String topic) {
    List<String> pairs = new ArrayList<>();
    left.forEach(l -> right.forEach(r -> pairs.add(pair(l, r))));
    if (right.isEmpty() && !topic.equals("inner")) {
      left.forEach(l -> pairs.add(pair(l, null)));
    }
    if (left.isEmpty() && topic.equals("outer")) {
      right.forEach(r -> pairs.add(pair(null, r)));
    }
    return pairs;
  }
}
