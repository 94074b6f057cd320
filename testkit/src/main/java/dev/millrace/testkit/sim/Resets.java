package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.reset.Reset;
import dev.millrace.internal.engine.reset.ResetException;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// An application counts records, by their key and behind an exchange, and has another position in
/// the middle of it, with its state or without: while processes of it still run, or are started
/// meanwhile, and the reset crashes, and is done again or given up. At the end each key was counted
/// as often as its records were read: those before the reset and those from its positions on; or
/// else, if it was given up, as if it had never been. Either all partitions were moved or none.
final class Resets {
  static final String NAME = "resets";
  private static final String APPLICATION = "counted";
  private static final String IN = "in";
  private static final String TOO = "in-too";
  private static final String OUT = "out";
  private static final String BEHIND = "behind";
  private static final int RESULTS = 2;
  private static final int STEPS = 60_000;
  private static final int ATTEMPTS = 5;

  /// Behind so many steps something was counted again, if anything will be.
  private static final int ENOUGH = 5_000;

  /// Counts the records of each key, and of each value, which is the key once more.
  private record Counting(boolean bounded) implements StreamApplication {
    @Override
    public String name() {
      return APPLICATION;
    }

    @Override
    public void describe(Topology topology) {
      var records = topology.from(source(IN)).merge(topology.from(source(TOO)));
      records
          .groupByKey()
          .count("n")
          .to(Kafka.sink(OUT).key(Serdes.string()).value(Serdes.longs()));
      records
          .groupBy("by-value", value -> value)
          .count("m")
          .to(Kafka.sink(BEHIND).key(Serdes.string()).value(Serdes.longs()));
    }

    private KafkaKeyedSource<String, String> source(String topic) {
      KafkaKeyedSource<String, String> source =
          Kafka.source(topic).key(Serdes.string()).value(Serdes.string()).startAtEarliest();
      return bounded ? source.asBounded() : source;
    }
  }

  private final Seed seed;
  private final Simulation simulation;
  private final boolean keepsState;
  private final int partitions;
  private final Map<Split, List<String>> written = new TreeMap<>();
  private final Map<Split, Long> to = new TreeMap<>();

  /// How many results lie before those of the new state.
  private final Map<Split, Integer> forgotten = new TreeMap<>();

  private double dies;
  private double starts;

  /// Whether of the positions those are left that can be moved.
  private boolean known;

  private Resets(long value, Hosts hosts) {
    seed = new Seed(value).fork(NAME);
    keepsState = seed.chance(0.7);
    boolean bounded = !keepsState && seed.coin();
    simulation =
        new Simulation(
            value, new Counting(bounded), SimulationSettings.drawn(value, IN, TOO), hosts);
    partitions = seed.between(1, 4);
    simulation.log().createTopic(OUT, RESULTS);
    simulation.log().createTopic(BEHIND, RESULTS);
    for (String topic : List.of(IN, TOO)) {
      simulation.log().createTopic(topic, partitions);
      for (int i = seed.below(120 * partitions); i > 0; i--) {
        write(topic, topic.substring(2) + "k" + seed.below(6 * partitions));
      }
    }
    written.forEach((split, keys) -> {
      if (seed.chance(0.7)) {
        to.put(split, (long) seed.below(keys.size() + 1));
      }
    });
  }

  private void write(String topic, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    Split split = new Split(topic, Partitioner.partition(Bytes.of(bytes), partitions));
    simulation.log().append(split, 0, bytes, bytes, new byte[0]);
    written.computeIfAbsent(split, _ -> new ArrayList<>()).add(key);
  }

  /// Runs it under a seed.
  ///
  /// @return whether positions were moved
  /// @throws AssertionError if anything was counted that was not read, or not counted
  static boolean run(long seed, Hosts hosts) {
    return new Resets(seed, hosts).run();
  }

  private boolean run() {
    simulation.startAll();
    for (int steps = seed.below(3_000); steps > 0; steps--) {
      simulation.step();
    }
    boolean running = keepsState && seed.coin();
    if (!running) {
      crashAll();
    }
    if (keepsState && seed.chance(0.3)) {
      starts = 0.05;
    } else {
      dies = seed.coin() ? 0 : 0.1;
      if (seed.chance(0.3)) {
        simulation.log().faults(Faults.drawn(seed));
      }
    }
    boolean done = keepsState ? move() : removeState();
    for (int steps = seed.below(500); running && steps > 0; steps--) {
      simulation.step(); // whoever was not barred goes on
    }
    simulation.calm();
    crashAll();
    simulation.log().advance(Duration.ofSeconds(90)); // what hangs is aborted
    if (!keepsState) {
      forget();
    }
    Map<String, Long> before = counts(OUT);
    Map<String, Long> moved = expected(before);
    Map<String, Long> never = all();
    runUntil(moved, never);
    boolean isMoved = counts(OUT).equals(moved);
    if (!isMoved && (done || !counts(OUT).equals(never))) {
      throw new AssertionError(
          "%s, state kept: %s, to %s: counted %s; had %s, so %s was to be counted, or %s if nothing was done. %s %s"
              .formatted(
                  done ? "Done" : "Given up",
                  keepsState,
                  to,
                  counts(OUT),
                  before,
                  moved,
                  never,
                  simulation.state(),
                  simulation.failures()));
    }
    requireSteps(OUT);
    requireSteps(BEHIND);
    requireFenced();
    return isMoved && !moved.equals(never);
  }

  private void crashAll() {
    for (int i = 0; i < simulation.containers(); i++) {
      simulation.crash(i, seed.coin());
    }
  }

  /// Attempts until one comes to its end or it is given up, which only those do during which nobody
  /// reads on.
  ///
  /// @return whether it came to its end
  private boolean move() {
    for (int attempt = 0; attempt < ATTEMPTS || starts > 0; attempt++) {
      if (attempt(attempt, this::move)) {
        return true;
      }
      if (starts == 0 && seed.chance(0.3)) {
        return false;
      }
      starts /= 2;
    }
    return false;
  }

  /// What was never committed has no position that could be another.
  private void move(Reset reset) {
    if (!known) {
      to.keySet().retainAll(reset.lastCommits().positions().keySet());
      known = true;
    }
    reset.move(to);
  }

  /// It must come to its end: until then nothing may be started.
  private boolean removeState() {
    while (!attempt(seed.below(1_000_000), reset -> reset.begin(to))) {
      dies /= 2;
    }
    for (String topic : own()) {
      simulation.log().deleteTopic(topic);
    }
    while (!attempt(seed.below(1_000_000), reset -> reset.finish(to))) {
      dies /= 2;
      simulation.log().calm();
    }
    simulation.cluster().beginAnew(to);
    return true;
  }

  private List<String> own() {
    List<String> names = new ArrayList<>(List.of(simulation.plan().changelogTopic()));
    simulation.plan().exchanges().forEach(exchange -> names.add(exchange.topic()));
    return names;
  }

  /// What a process of a reset does.
  private interface Doing {
    void with(Reset reset);
  }

  private boolean attempt(int number, Doing doing) {
    String process = "reset-" + number;
    Log client = simulation.log().client(process);
    Reset reset =
        new Reset(ApplicationName.of(APPLICATION), client, simulation.clock(), this::pause);
    try {
      reset.bar();
      doing.with(reset);
      reset.close();
      return true;
    } catch (DiedException | ResetException | LogException _) {
      simulation.log().crash(process);
      return false;
    }
  }

  /// What happens meanwhile.
  private void pause() {
    if (seed.chance(dies)) {
      throw new DiedException();
    }
    if (seed.chance(starts)) {
      simulation.startAll();
    }
    simulation.step();
  }

  /// What was counted so far is counted anew.
  private void forget() {
    for (String topic : List.of(OUT, BEHIND)) {
      for (int partition = 0; partition < RESULTS; partition++) {
        Split split = new Split(topic, partition);
        forgotten.put(split, simulation.log().records(topic, partition).size());
      }
    }
  }

  /// The counts of each key in order.
  private Map<String, List<Long>> all(String topic) {
    Map<String, List<Long>> all = new TreeMap<>();
    for (int partition = 0; partition < RESULTS; partition++) {
      List<ModelRecord> records = simulation.log().records(topic, partition);
      int first = forgotten.getOrDefault(new Split(topic, partition), 0);
      for (ModelRecord record : records.subList(first, records.size())) {
        all.computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
            .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
      }
    }
    return all;
  }

  private Map<String, Long> counts(String topic) {
    Map<String, Long> counts = new TreeMap<>();
    all(topic).forEach((key, found) -> counts.put(key, found.getLast()));
    return counts;
  }

  /// What is counted if the splits are read on from the positions that were given. All records of a
  /// key lie in one split.
  private Map<String, Long> expected(Map<String, Long> before) {
    Map<String, Long> expected = new TreeMap<>(before);
    Map<String, Long> all = all();
    written.forEach((split, keys) -> {
      Long from = to.get(split);
      if (from == null && keepsState) {
        keys.forEach(key -> expected.put(key, Objects.requireNonNull(all.get(key))));
      } else {
        keys.stream()
            .skip(from == null ? 0 : from)
            .forEach(key -> expected.merge(key, 1L, Long::sum));
      }
    });
    return expected;
  }

  private Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    written.values().forEach(keys -> keys.forEach(key -> all.merge(key, 1L, Long::sum)));
    return all;
  }

  private void runUntil(Map<String, Long> moved, Map<String, Long> never) {
    for (int step = 0; step < STEPS; step++) {
      if (step % 50 == 0 && isOver(step < ENOUGH ? moved : never, moved)) {
        break;
      }
      if (step % 500 == 0) {
        simulation.startAll();
      }
      simulation.step();
    }
    for (int step = 0; step < 500; step++) {
      simulation.step(); // nothing comes behind that
    }
    simulation.log().advance(Duration.ofSeconds(5));
  }

  private boolean isOver(Map<String, Long> one, Map<String, Long> other) {
    Map<String, Long> out = counts(OUT);
    return (out.equals(one) || out.equals(other)) && counts(BEHIND).equals(out);
  }

  /// A count is the one before it and one; behind an exchange as well.
  private void requireSteps(String topic) {
    if (!counts(topic).equals(counts(OUT))) {
      throw new AssertionError(
          "%s has %s where %s has %s.".formatted(topic, counts(topic), OUT, counts(OUT)));
    }
    all(topic)
        .forEach((key, found) ->
            Scenario.requireEqual(
                "counts of " + key + " in " + topic,
                LongStream.rangeClosed(1, found.size()).boxed().toList(),
                found));
  }

  private void requireFenced() {
    for (Failure failure : simulation.failures()) {
      if (failure.kind() != Failure.Kind.FENCED && failure.kind() != Failure.Kind.MENDABLE) {
        throw new AssertionError("A container ended with " + failure, failure.cause());
      }
    }
  }
}
