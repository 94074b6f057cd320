package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A job that has read its input to the end becomes another one with more exchanges: their tasks
/// hear of the end, too, so that the job ends again.
class EndedVersionsTest {
  private static final int SEEDS = 100;
  private static final int RECORDS = 40;
  private static final int STEPS = 200_000;

  /// Counts a topic by key, and by value behind exchanges.
  ///
  /// @param exchanges how many
  private record Counting(int exchanges) implements StreamApplication {
    @Override
    public String name() {
      return "ended";
    }

    @Override
    public void describe(Topology topology) {
      var in =
          topology.from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()).asBounded());
      in.groupByKey().count("by-key").to(out("by-key"));
      for (int i = 0; i < exchanges; i++) {
        in.groupBy("by-value-" + i, value -> value).count("values-" + i).to(out("values-" + i));
      }
    }

    private static KafkaKeyedSink<String, Long> out(String topic) {
      return Kafka.sink(topic).key(Serdes.string()).value(Serdes.longs());
    }
  }

  @Test
  void anExchangeThatComesAfterTheEndHearsOfIt() {
    EachSeed.run(1, SEEDS, EndedVersionsTest::endTwice);
  }

  private static void endTwice(long number) {
    Seed seed = new Seed(number).fork("ended");
    int before = seed.below(2);
    int after = before + seed.between(1, 2);
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(seed.between(1, 2), seed.between(1, 2), seed.coin());
    Simulation simulation = new Simulation(number, new Counting(before), settings);
    int partitions = seed.between(1, 3);
    for (String topic : List.of("in", "by-key", "values-0", "values-1", "values-2")) {
      simulation.log().createTopic(topic, partitions);
    }
    Map<String, Long> byKey = new TreeMap<>();
    Map<String, Long> byValue = new TreeMap<>();
    for (int i = 0; i < RECORDS; i++) {
      String key = "k" + seed.below(5);
      String value = "v" + seed.below(5);
      Bytes bytes = Bytes.ofUtf8(key);
      Split split = new Split("in", Partitioner.partition(bytes, partitions));
      simulation
          .log()
          .append(
              split,
              1_000 + i,
              bytes.toByteArray(),
              Bytes.ofUtf8(value).toByteArray(),
              new byte[0]);
      byKey.merge(key, 1L, Long::sum);
      byValue.merge(value, 1L, Long::sum);
    }
    simulation.startAll();
    simulation.runToCompletion(STEPS);
    for (int i = 0; i < settings.containers(); i++) {
      simulation.crash(i, seed.coin());
    }
    simulation.becomes(new Counting(after));
    simulation.startAll();
    simulation.runToCompletion(STEPS);
    assertEquals(byKey, counts(simulation, "by-key"));
    for (int i = 0; i < after; i++) {
      // What came after the end has nothing to count.
      assertEquals(i < before ? byValue : Map.of(), counts(simulation, "values-" + i));
    }
  }

  private static Map<String, Long> counts(Simulation simulation, String topic) {
    Map<String, Long> counts = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(topic)) {
      counts.put(
          Objects.requireNonNull(record.keyText()),
          Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    return counts;
  }
}
