package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
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
  private static final LateInput INPUT = new LateInput(400, 4, 40_000);

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
              Kafka.source("in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value.split(" ")[0])))
                  .asBounded())
          .groupByKey()
          .window(tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ofSeconds(5)))
          .tooLate(late -> late.to(Kafka.sink("late").key(Serdes.string()).value(Serdes.string())))
          .apply("all", (_, values) -> String.join(",", values))
          .results(r -> r.key() + "@" + r.window().start().toEpochMilli() + "=" + r.value())
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
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
    List<String> sent = INPUT.write(simulation, seed);
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
