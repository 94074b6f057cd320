package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Windows that retain their tuples, under crashes, and what they cost in the changelog.
class RetainedWindowsTest {
  private static final int SEEDS = 150;
  private static final int PARTITIONS = 2;

  /// Hands over all values of ten seconds, joined.
  private record Retaining() implements StreamApplication {
    @Override
    public String name() {
      return "retaining";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source("in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value.split(" ")[0])))
                  .asBounded())
          .groupByKey()
          .window(tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ZERO))
          .apply("all", (_, values) -> String.join(",", values))
          .results(r -> r.key() + "@" + r.window().start().toEpochMilli() + "=" + r.value())
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private record Input(Simulation simulation, Map<String, List<String>> windows) {}

  /// Writes records of ascending times.
  private static Input prepared(
      long seed, SimulationSettings settings, int records, int keys, int padding) {
    Simulation simulation = new Simulation(seed, new Retaining(), settings);
    simulation.log().createTopic("in", PARTITIONS);
    simulation.log().createTopic("out", PARTITIONS);
    Map<String, List<String>> windows = new TreeMap<>();
    Seed random = new Seed(seed).fork("records");
    long time = 1_000_000;
    for (int i = 0; i < records; i++) {
      time += random.below(400);
      String key = "k" + random.below(keys);
      String value = time + " r" + i + "x".repeat(padding);
      windows
          .computeIfAbsent(key + "@" + time / 10_000 * 10_000, _ -> new ArrayList<>())
          .add(value);
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      Split split = new Split("in", Partitioner.partition(Bytes.of(bytes), PARTITIONS));
      simulation.log().append(split, 0, bytes, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
    return new Input(simulation, windows);
  }

  private static void check(Input input) {
    List<String> expected = new ArrayList<>();
    input.windows().forEach((key, values) -> expected.add(key + "=" + String.join(",", values)));
    List<String> found = new ArrayList<>();
    input.simulation().log().records("out").forEach(record -> found.add(record.valueText()));
    expected.sort(null);
    found.sort(null);
    Scenario.requireEqual("topic 'out'", expected, found);
  }

  @Test
  void crashesAtRandomMomentsLoseNoTuple() {
    EachSeed.run(1, SEEDS, RetainedWindowsTest::requireEveryTuple);
  }

  private static void requireEveryTuple(long seed) {
    Seed choices = new Seed(seed).fork("shape");
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(choices.between(1, 2), 1, false);
    if (choices.coin()) {
      settings =
          settings.withLimits(
              StateLimits.defaults().withCacheBytes(2_000).withCommittedShareBytes(4_000));
    }
    Input input = prepared(seed, settings, 250, 5, choices.coin() ? 1_000 : 5);
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), 0.004);
    Chaos.run(input.simulation(), seed, schedule, Scenario.hasFaults(seed));
    input.simulation().log().advance(Duration.ofSeconds(5));
    check(input);
  }

  @Test
  void closingAWindowCostsATombstoneAChunkAndNotOneAValue() {
    int records = 3_000;
    Input input = prepared(1, SimulationSettings.of("in"), records, 2, 100);
    input.simulation().startAll();
    input.simulation().runToCompletion(200_000);
    check(input);
    int tombstones = 0;
    int puts = 0;
    long bytes = 0;
    for (ModelRecord record :
        input.simulation().log().records(input.simulation().plan().changelogTopic())) {
      if (!CommitRecord.KEY.equals(record.key())) {
        if (record.value() == null) {
          tombstones++;
        } else {
          puts++;
          bytes += Objects.requireNonNull(record.value()).length();
        }
      }
    }
    int windows = input.windows().size();
    int valueBytes =
        input.windows().values().stream().flatMap(List::stream).mapToInt(v -> v.length() + 4).sum();
    // A chunk has four kilobytes at least, and each window its last one, perhaps empty.
    assertTrue(tombstones <= windows + valueBytes / 4096, tombstones + " in " + windows);
    assertTrue(
        puts < records / 2, puts + " puts of " + bytes + " bytes for " + records + " values");
    assertTrue(tombstones > 10);
  }
}
