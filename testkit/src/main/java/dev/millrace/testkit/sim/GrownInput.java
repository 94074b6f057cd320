package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.LogException;
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

/// A topic that is partitioned by its keys gets more partitions while a job keeps the last record
/// of each key, and its producer uses them at once.
///
/// If it gets a multiple of them, the job reads them as soon as it has heard of them: each record
/// is processed once, and those of a key in their order. Otherwise what is committed must be right:
/// no key begins anew in the task of another partition. A container that meets a key that was moved
/// ends, and says where.
final class GrownInput {
  static final String NAME = "grown-input";
  private static final String IN = "in";
  private static final String OUT = "out";
  private static final int STEPS = 6_000;
  private static final int END = 60_000;
  private static final double CRASHES = 0.002;
  private static final double LOOKS = 0.02;

  /// Keeps the last record of each key; each of them is a result.
  private static final class Latest implements StreamApplication {
    @Override
    public String name() {
      return "grown";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(IN).key(Serdes.string()).value(Serdes.longs()))
          .groupByKey()
          .reduce("latest", (_, later) -> later)
          .to(Kafka.sink(OUT).key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private final Seed seed;
  private final Simulation simulation;
  private final int before;
  private final int after;
  private final boolean multiple;
  private final int growsAt;
  private final List<String> keys = new ArrayList<>();

  /// How many records of each key there are; they are numbered from 1 on.
  private final Map<String, Long> written = new TreeMap<>();

  /// By split that is read, the first record with a key of another one.
  private final Map<Split, Long> moved = new TreeMap<>();

  private int partitions;

  private GrownInput(long value, Hosts hosts) {
    seed = new Seed(value).fork(NAME);
    simulation = new Simulation(value, new Latest(), SimulationSettings.drawn(value, IN), hosts);
    before = seed.between(1, 4);
    after = seed.coin() ? before * 2 * seed.between(1, 3) : before + seed.between(1, 3);
    multiple = after % before == 0;
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
  /// @throws AssertionError if a wrong result is committed, a result is missing although the new
  ///   partitions are to be read, or a key that was moved is not met
  static int run(long seed, Hosts hosts) {
    return new GrownInput(seed, hosts).run();
  }

  private int run() {
    simulation.startAll();
    for (int step = 0; step < STEPS; step++) {
      step(step);
      if (step == growsAt) {
        grow(multiple && after % (2 * before) == 0 ? 2 * before : after);
      }
      if (step == growsAt + STEPS / 8) {
        grow(after);
      }
      if (step < STEPS / 2 && seed.chance(0.1)) {
        for (int i = seed.between(1, 6); i > 0; i--) {
          write(seed.pick(keys));
        }
      }
      if (seed.chance(CRASHES)) {
        simulation.crash(seed.below(simulation.cluster().size()), seed.coin());
      }
    }
    if (multiple) {
      for (int step = 0; !requireRightRows(); step++) {
        if (step > END) {
          throw new AssertionError(
              "Not everything was read of %d partitions, %d before, of %s records: %s"
                  .formatted(after, before, written, simulation.state()));
        }
        step(step);
      }
    }
    requireRightRows();
    return requireRefusals();
  }

  private void step(int step) {
    simulation.step();
    if (step % 500 == 0) {
      simulation.startAll();
    }
    if (multiple && seed.chance(LOOKS)) {
      look(seed.below(simulation.cluster().size()));
    }
  }

  /// Has a container look whether its topics have got partitions.
  private void look(int container) {
    Engine engine = simulation.engine(container);
    if (engine != null) {
      try {
        engine.inputPartitions().look();
      } catch (LogException _) {
        // It looks again.
      }
    }
  }

  private void grow(int now) {
    if (now > partitions) {
      simulation.log().addPartitions(IN, now);
      partitions = now;
    }
  }

  private void write(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    Split split = new Split(IN, Partitioner.partition(Bytes.of(bytes), partitions));
    long number = written.getOrDefault(key, 0L) + 1;
    written.put(key, number);
    BytesWriter value = new BytesWriter(8);
    Serdes.longs().write(number, value);
    long offset = simulation.log().append(split, 0, bytes, value.toByteArray(), new byte[0]);
    if (split.partition() < before
        && split.partition() != Partitioner.partition(Bytes.of(bytes), before)) {
      moved.putIfAbsent(split, offset);
    }
  }

  /// Of each key 1, 2, 3 and so on, for some of its records or all.
  ///
  /// @return whether of all
  private boolean requireRightRows() {
    Map<String, List<Long>> rows = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(OUT)) {
      rows.computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    rows.forEach((key, found) -> {
      List<Long> right = LongStream.rangeClosed(1, found.size()).boxed().toList();
      Scenario.requireEqual("rows of " + key, right, found);
      if (found.size() > Objects.requireNonNull(written.get(key))) {
        throw new AssertionError("Of key " + key + " there are more rows than records: " + found);
      }
    });
    return written.entrySet().stream()
        .allMatch(each -> rows.getOrDefault(each.getKey(), List.of()).size() == each.getValue());
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
