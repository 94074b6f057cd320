package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A job that is stopped or crashed somewhere and goes on from its state with more topics in its
/// source than before, under crashes. The oracle counts what was written to the topics.
class MoreTopicsTest {
  private static final int SEEDS = 200;
  private static final int RECORDS = 120;

  private int restored;

  /// Counts all records of its topics by key and, behind an exchange, by value.
  ///
  /// @param over whether all is there; null if its topics end
  private record Counting(List<String> topics, @Nullable BooleanSupplier over)
      implements StreamApplication, Outside {
    @Override
    public void goOn() {}

    @Override
    public boolean isOver() {
      return over != null && over.getAsBoolean();
    }

    @Override
    public String name() {
      return "more";
    }

    @Override
    public void describe(Topology topology) {
      var all = Kafka.sources(topics).key(Serdes.string()).value(Serdes.string());
      var in = topology.from(over == null ? all.asBounded() : all);
      in.groupByKey()
          .count("by-key")
          .mapValues(Object::toString)
          .to(Kafka.sink("by-key").key(Serdes.string()).value(Serdes.string()));
      in.groupBy("values", value -> value.substring(0, 2))
          .count("by-value")
          .mapValues(Object::toString)
          .to(Kafka.sink("by-value").key(Serdes.string()).value(Serdes.string()));
      in.records()
          .map(record -> record.key() + "=" + record.topic() + " " + record.value())
          .to(Kafka.sink("all").value(Serdes.string()));
    }
  }

  /// What there is to read, and what has to come of it.
  private static final class Written {
    private final List<String> all = new ArrayList<>();
    private final Map<String, Integer> byKey = new TreeMap<>();
    private final Map<String, Integer> byValue = new TreeMap<>();
  }

  private static Written write(Simulation simulation, Seed seed, List<String> topics, int wide) {
    Written written = new Written();
    KeyPool keys = KeyPool.drawn(seed.fork("keys"), 8);
    Seed values = seed.fork("values");
    for (int i = 0; i < RECORDS; i++) {
      String topic = values.pick(topics);
      int key = values.below(keys.size());
      String value = "v" + values.below(4) + " " + i;
      Bytes bytes = keys.bytes(key);
      simulation
          .log()
          .append(
              new Split(topic, Partitioner.partition(bytes, wide)),
              1_000 + i,
              bytes.toByteArray(),
              Bytes.ofUtf8(value).toByteArray(),
              new byte[0]);
      written.all.add(keys.text(key) + "=" + topic + " " + value);
      written.byKey.merge(keys.text(key), 1, Integer::sum);
      written.byValue.merge(value.substring(0, 2), 1, Integer::sum);
    }
    return written;
  }

  @Test
  void allOfEveryTopicIsReadOnceWhereverTheJobWasWhenOneWasAdded() {
    EachSeed.run(1, SEEDS, this::grow);
    System.out.println("went on from state " + restored);
    assertTrue(restored > SEEDS / 2, "Too few went on from state: " + restored);
  }

  private void grow(long number) {
    Seed seed = new Seed(number).fork("more topics");
    int wide = seed.between(1, 3);
    List<String> before = seed.coin() ? List.of("in-b") : List.of("in-b", "in-d");
    List<String> after = List.of("in-a", "in-b", "in-c", "in-d");
    SimulationSettings settings =
        SimulationSettings.of(after.toArray(String[]::new))
            .withShape(seed.between(1, 2), seed.between(1, 2), seed.coin());
    Simulation simulation = new Simulation(number, new Counting(before, () -> false), settings);
    after.forEach(topic -> simulation.log().createTopic(topic, wide));
    List.of("by-key", "by-value", "all")
        .forEach(topic -> simulation.log().createTopic(topic, wide));
    Written written = write(simulation, seed, after, wide);
    simulation.startAll();
    for (int steps = seed.between(20, 900); steps > 0; steps--) {
      simulation.step();
    }
    if (seed.coin()) {
      simulation.cluster().stopAll();
      while (!simulation.cluster().allStand()) {
        simulation.step();
      }
    }
    for (int i = 0; i < settings.containers(); i++) {
      simulation.crash(i, seed.chance(0.2));
    }
    simulation.application(new Counting(after, () -> isOver(simulation, written)));
    restored += simulation.log().records("all").isEmpty() ? 0 : 1;
    Chaos.run(
        simulation,
        number,
        CrashSchedule.drawn(new Seed(number), 0.004),
        Scenario.hasFaults(number));
    List<String> all = new ArrayList<>();
    for (ModelRecord record : simulation.log().records("all")) {
      all.add(Objects.requireNonNull(record.valueText()));
    }
    assertEquals(written.all.stream().sorted().toList(), all.stream().sorted().toList());
    assertEquals(written.byKey, most(simulation, "by-key"));
    assertEquals(written.byValue, most(simulation, "by-value"));
  }

  private static boolean isOver(Simulation simulation, Written written) {
    return simulation.steps() % 20 == 0
        && most(simulation, "by-key").equals(written.byKey)
        && most(simulation, "by-value").equals(written.byValue);
  }

  /// The last count of each key.
  private static Map<String, Integer> most(Simulation simulation, String topic) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(topic)) {
      counts.put(
          Objects.requireNonNull(record.keyText()),
          Integer.parseInt(Objects.requireNonNull(record.valueText())));
    }
    return counts;
  }

  @Test
  void whatHasEndedIsNotGoneOnWith() {
    Simulation simulation =
        new Simulation(
            1, new Counting(List.of("in-a"), null), SimulationSettings.of("in-a", "in-b"));
    for (String topic : List.of("in-a", "in-b", "by-key", "by-value", "all")) {
      simulation.log().createTopic(topic, 1);
    }
    simulation.startAll();
    simulation.runToCompletion(100_000);
    simulation.crash(0, false);
    simulation.application(new Counting(List.of("in-a", "in-b"), null));
    simulation.startAll();
    while (simulation.failures().isEmpty()) {
      simulation.step();
      assertTrue(simulation.steps() < 200_000, "Nobody refused.");
    }
    Failure failure = simulation.failures().getFirst();
    assertEquals(Failure.Kind.SETUP, failure.kind(), failure::message);
    assertTrue(failure.message().contains("now it also reads 'in-b'"), failure::message);
  }
}
