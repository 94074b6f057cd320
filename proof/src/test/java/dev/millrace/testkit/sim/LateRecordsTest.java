package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.chain.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Late records under crashes: each is in the last result of its window or among those that are too
/// late, once and not in both. Which of them are too late is a matter of timing.
class LateRecordsTest {
  private static final int SEEDS = 150;
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 250;

  private int tooLate;
  private int corrections;

  /// Hands over all values of ten seconds, joined, and writes down what came too late.
  private record Retaining() implements StreamApplication {
    @Override
    public String name() {
      return "retaining";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.topic("in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value.split(" ")[0])))
                  .asBounded())
          .groupByKey()
          .window(tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ofSeconds(5)))
          .tooLate(late -> late.to(Kafka.topic("late").key(Serdes.string()).value(Serdes.string())))
          .collect("all", (_, values) -> String.join(",", values))
          .results(r -> r.key() + "@" + r.window().start().toEpochMilli() + "=" + r.value())
          .to(Kafka.topic("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private static List<String> prepare(Simulation simulation, long seed) {
    for (String topic : List.of("in", "out", "late")) {
      simulation.log().createTopic(topic, PARTITIONS);
    }
    List<String> values = new ArrayList<>();
    Seed random = new Seed(seed).fork("records");
    long now = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      now += random.below(400);
      long time = now - (random.below(4) == 0 ? random.below(40_000) : 0);
      String value = time + " r" + i;
      values.add(value);
      byte[] key = ("k" + random.below(5)).getBytes(StandardCharsets.UTF_8);
      Split split = new Split("in", Partitioner.partition(Bytes.of(key), PARTITIONS));
      simulation.log().append(split, 0, key, value.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }
    return values;
  }

  @Test
  void everyRecordIsInAResultOrToldToBeTooLate() {
    EachSeed.run(1, SEEDS, this::requireEachFound);
    assertTrue(tooLate > SEEDS, tooLate + " records were too late");
    assertTrue(corrections > SEEDS, corrections + " results were corrected");
  }

  private void requireEachFound(long seed) {
    Seed choices = new Seed(seed).fork("shape");
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(choices.between(1, 2), 1, false);
    Simulation simulation = new Simulation(seed, new Retaining(), settings);
    List<String> sent = prepare(simulation, seed);
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), 0.004);
    Chaos.run(simulation, seed, schedule, Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));
    Map<String, String> results = new TreeMap<>();
    for (ModelRecord record : simulation.log().records("out")) {
      String[] parts = record.valueText().split("=");
      corrections += results.put(parts[0], parts[1]) == null ? 0 : 1;
    }
    List<String> found = new ArrayList<>();
    results.values().forEach(joined -> found.addAll(Arrays.asList(joined.split(","))));
    for (ModelRecord record : simulation.log().records("late")) {
      found.add(record.valueText());
      tooLate++;
    }
    sent.sort(null);
    found.sort(null);
    assertEquals(sent, found);
  }
}
