package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.chain.Partitioner;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// A topic that is partitioned by its keys gets more partitions while a job counts them, and its
/// producer uses them at once. What is committed must be right: no key is counted anew in the task
/// of another partition. A container that meets a key that was moved ends, and says where.
final class GrownInput {
  static final String NAME = "grown-input";
  private static final String IN = "in";
  private static final String OUT = "out";
  private static final int STEPS = 6_000;
  private static final double CRASHES = 0.002;

  /// Counts the records of each key.
  private static final class Counting implements StreamApplication {
    @Override
    public String name() {
      return "grown";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(IN).key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .count("n")
          .to(Kafka.sink(OUT).key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private final Seed seed;
  private final Simulation simulation;
  private final int before;
  private final int after;
  private final int growsAt;
  private final List<String> keys = new ArrayList<>();
  private final Map<String, Long> written = new TreeMap<>();

  /// By split that is read, the first record with a key of another one.
  private final Map<Split, Long> moved = new TreeMap<>();

  private int partitions;

  private GrownInput(long value, Hosts hosts) {
    seed = new Seed(value).fork(NAME);
    simulation = new Simulation(value, new Counting(), SimulationSettings.drawn(value, IN), hosts);
    before = seed.between(1, 4);
    after = before + seed.between(1, 3);
    growsAt = seed.below(STEPS / 2);
    partitions = before;
    simulation.log().createTopic(IN, before);
    simulation.log().createTopic(OUT, 2);
    for (int i = seed.between(1, 30); i > 0; i--) {
      keys.add("k" + "x".repeat(seed.below(9)) + i);
    }
  }

  /// Runs it under a seed.
  ///
  /// @return how many containers have ended since they met a key that was moved
  /// @throws AssertionError if a wrong count is committed, or a key that was moved is not met
  static int run(long seed, Hosts hosts) {
    return new GrownInput(seed, hosts).run();
  }

  private int run() {
    simulation.startAll();
    for (int step = 0; step < STEPS; step++) {
      simulation.step();
      if (step == growsAt) {
        simulation.log().addPartitions(IN, after);
        partitions = after;
      }
      if (step < STEPS / 2 && seed.chance(0.1)) {
        for (int i = seed.between(1, 6); i > 0; i--) {
          write(seed.pick(keys));
        }
      }
      if (seed.chance(CRASHES)) {
        simulation.crash(seed.below(simulation.cluster().size()), seed.coin());
      }
      if (step % 500 == 0) {
        simulation.startAll();
      }
    }
    requireRightCounts();
    return requireRefusals();
  }

  private void write(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    Split split = new Split(IN, Partitioner.partition(Bytes.of(bytes), partitions));
    long offset = simulation.log().append(split, 0, bytes, new byte[0], new byte[0]);
    written.merge(key, 1L, Long::sum);
    if (split.partition() < before
        && split.partition() != Partitioner.partition(Bytes.of(bytes), before)) {
      moved.putIfAbsent(split, offset);
    }
  }

  /// Of each key 1, 2, 3 and so on, for some of its records or all.
  private void requireRightCounts() {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(OUT)) {
      counts
          .computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    counts.forEach((key, found) -> {
      List<Long> right = LongStream.rangeClosed(1, found.size()).boxed().toList();
      Scenario.requireEqual("counts of " + key, right, found);
      if (found.size() > Objects.requireNonNull(written.get(key))) {
        throw new AssertionError("Of key " + key + " more was counted than written: " + found);
      }
    });
  }

  private int requireRefusals() {
    int refused = 0;
    for (Failure failure : simulation.failures()) {
      switch (failure.kind()) {
        case SETUP -> {
          refused++;
          requirePlace(failure.message());
        }
        case MENDABLE, FENCED -> {}
        default -> throw new AssertionError("A container ended with " + failure, failure.cause());
      }
    }
    if (moved.isEmpty() != (refused == 0)) {
      throw new AssertionError(
          "%d containers were refused, and keys were moved to %s: %s"
              .formatted(refused, moved, simulation.failures()));
    }
    return refused;
  }

  private void requirePlace(String message) {
    boolean named =
        moved.entrySet().stream()
            .anyMatch(each ->
                message.contains(
                    "%s:%d:%d ".formatted(IN, each.getKey().partition(), each.getValue())));
    if (!named
        || !message.contains("had " + before + " ")
        || !message.contains("has " + after + " now")) {
      throw new AssertionError(
          "From %d to %d partitions, first moved %s; the message says: %s"
              .formatted(before, after, moved, message));
    }
  }
}
