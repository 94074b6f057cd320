package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.log.ModelSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// An application whose operators are added, removed, put back, renamed and put into another order
/// over the same state, again and again, while it is crashed. Its operators count records: those
/// with even numbers by key, in the stage that reads them, the odd ones by value, behind exchanges
/// of their own.
///
/// Each commit record names the plan that wrote it, so the log says which operators were there when
/// an input record was read. Each operator must have counted those records and no others, each
/// once: what lay in its exchange when it was removed is counted when it is back.
final class Versions {
  static final String NAME = "versions";
  private static final String ALL = "all";
  private static final String APPLICATION = "changing";
  private static final String IN = "in";
  private static final String TOO = "in-too";
  private static final List<String> INPUTS = List.of(IN, TOO);

  /// Is read by the stage that reads the first of them, and counted with it.
  private static final String MORE = "in-more";

  private static final int OPERATORS = 5;
  private static final int STEPS = 40_000;
  private static final int KEYS = 9;

  /// Counts the records of all inputs that it reads.
  ///
  /// @param more whether the first input has another one beside it
  /// @param all whether the records of all inputs are counted together, each behind an exchange
  /// @param generation of the names of operators and exchanges
  private record Program(
      List<String> inputs, boolean more, List<Integer> operators, boolean all, int generation)
      implements StreamApplication {
    @Override
    public String name() {
      return APPLICATION;
    }

    @Override
    public void describe(Topology topology) {
      for (int earlier = 0; earlier < generation; earlier++) {
        for (String name : allNames()) {
          topology.renamed(named(name, earlier), named(name, generation));
        }
      }
      KeyedStream<String, String> together = null;
      for (String input : inputs) {
        var records = topology.from(source(input));
        if (more && input.equals(INPUTS.getFirst())) {
          records = records.merge(topology.from(source(MORE)));
        }
        for (int operator : operators) {
          String name = operatorOf(input, operator);
          var grouped =
              operator % 2 == 0
                  ? records.groupByKey()
                  : records.groupBy(named(name + "-by", generation), value -> value);
          grouped
              .count(named(name, generation))
              .to(Kafka.sink(out(name)).key(Serdes.string()).value(Serdes.longs()));
        }
        if (all) {
          var behind = records.groupBy(named("all-" + input, generation), value -> value).stream();
          together = together == null ? behind : together.merge(behind);
        } else if (operators.isEmpty()) {
          records.to(Kafka.sink("nowhere").key(Serdes.string()).value(Serdes.string()));
        }
      }
      if (together != null) {
        together
            .groupByKey()
            .count(named(ALL, generation))
            .to(Kafka.sink(out(ALL)).key(Serdes.string()).value(Serdes.longs()));
      }
    }
  }

  /// All names that operators and exchanges have in the first generation.
  private static List<String> allNames() {
    List<String> names = new ArrayList<>(List.of(ALL));
    for (String input : INPUTS) {
      names.add("all-" + input);
      for (int operator = 0; operator < OPERATORS; operator++) {
        names.add(operatorOf(input, operator));
        names.add(operatorOf(input, operator) + "-by");
      }
    }
    return names;
  }

  private static String named(String name, int generation) {
    return generation == 0 ? name : name + "-g" + generation;
  }

  private static KafkaKeyedSource<String, String> source(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string()).startAtEarliest();
  }

  private static String operatorOf(String input, int operator) {
    return input + "-" + operator;
  }

  private static String out(String operator) {
    return "out-" + operator;
  }

  private final Seed seed;
  private final Simulation simulation;
  private final Map<String, Integer> partitions = new TreeMap<>();

  /// The keys of the records of each split, which are their values, too.
  private final Map<Split, List<String>> written = new TreeMap<>();

  /// By the number of a plan.
  private final Map<Long, Program> programs = new TreeMap<>();

  private int generation;

  /// How many inputs were counted together the last time.
  private int together = 1;

  private final boolean faults;

  /// Whether the records of all inputs are counted together at times.
  private final boolean counted;

  /// Whether containers are started with the new program one after the other, while others go on
  /// with the old one.
  private final boolean rolls;

  private Program program;

  private Versions(long value, Hosts hosts) {
    seed = new Seed(value).fork(NAME);
    SimulationSettings settings =
        SimulationSettings.drawn(value, IN, TOO, MORE)
            // What was committed is looked up in the log at the end.
            .withLog(ModelSettings.defaults());
    if (seed.fork("direct").chance(0.3)) {
      settings = settings.withShape(1, settings.workers(), Groups.DIRECT);
    }
    faults = seed.chance(0.3);
    counted = seed.fork("all").coin();
    rolls = seed.fork("rolls").coin();
    program = draw();
    simulation = new Simulation(value, program, settings, hosts);
    simulation.log().createTopic("nowhere", 1);
    simulation.log().createTopic(out(ALL), 1);
    partitions.put(IN, seed.between(1, 3));
    partitions.put(TOO, counted ? Objects.requireNonNull(partitions.get(IN)) : seed.between(1, 3));
    partitions.put(MORE, Objects.requireNonNull(partitions.get(IN)));
    partitions.forEach(simulation.log()::createTopic);
    for (String input : INPUTS) {
      for (int operator = 0; operator < OPERATORS; operator++) {
        simulation.log().createTopic(out(operatorOf(input, operator)), 1);
      }
    }
  }

  /// Runs it under a seed.
  ///
  /// @throws AssertionError if anything was counted that was not read, or not counted
  static void run(long seed, Hosts hosts) {
    new Versions(seed, hosts).run();
  }

  private void run() {
    note();
    for (int change = seed.between(1, 6); change > 0; change--) {
      if (faults) {
        simulation.log().faults(Faults.drawn(seed));
      }
      work(seed.below(1_500));
      simulation.calm();
      if (!rolls) {
        if (seed.coin()) {
          crashAll();
        } else {
          stopAll();
        }
      }
      become(change == 1 ? everything() : draw());
    }
    runToTheEnd();
  }

  private Program draw() {
    boolean all = counted && seed.coin();
    // What lies in an exchange that no longer feeds an operator would be missing, which is refused.
    int least = all ? together : 1;
    List<String> inputs = new ArrayList<>(INPUTS.subList(0, seed.between(least, INPUTS.size())));
    together = all ? inputs.size() : together;
    if (seed.coin()) {
      inputs = inputs.reversed();
    }
    List<Integer> operators = new ArrayList<>();
    for (int operator = 0; operator < OPERATORS; operator++) {
      if (seed.chance(0.6)) {
        operators.add(seed.below(operators.size() + 1), operator);
      }
    }
    generation += seed.chance(0.3) ? 1 : 0;
    return new Program(inputs, seed.coin(), operators, all, generation);
  }

  private Program everything() {
    List<Integer> operators = new ArrayList<>();
    for (int operator = 0; operator < OPERATORS; operator++) {
      operators.add(seed.below(operators.size() + 1), operator);
    }
    return new Program(INPUTS, true, operators, counted, generation);
  }

  private void become(Program next) {
    PlanDescription before = simulation.plan().description();
    simulation.becomes(next);
    program = next;
    note();
    PlanDiff diff = PlanDiff.between(before, simulation.plan().description());
    if (!diff.isPossible()) {
      throw new AssertionError("Refused: " + diff.lines());
    }
  }

  private void note() {
    programs.put(simulation.plan().version(), program);
  }

  private void work(int steps) {
    for (int step = 0; step < steps; step++) {
      if (step % 100 == 0) {
        simulation.startAll();
      }
      if (seed.chance(0.02)) {
        write(seed.pick(List.of(IN, TOO, MORE)), "k" + seed.below(KEYS));
      }
      if (seed.chance(0.002)) {
        int index = seed.below(simulation.containers());
        if (seed.coin()) {
          simulation.crash(index, seed.coin());
        } else {
          simulation.cluster().container(index).stop();
        }
      }
      simulation.step();
    }
  }

  private void write(String topic, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int count = Objects.requireNonNull(partitions.get(topic));
    Split split = new Split(topic, Partitioner.partition(Bytes.of(bytes), count));
    simulation.log().append(split, 0, bytes, bytes, new byte[0]);
    written.computeIfAbsent(split, _ -> new ArrayList<>()).add(key);
  }

  private void crashAll() {
    for (int i = 0; i < simulation.containers(); i++) {
      simulation.crash(i, seed.coin());
    }
  }

  private void stopAll() {
    simulation.cluster().stopAll();
    for (int step = 0; step < STEPS && !simulation.cluster().allStand(); step++) {
      simulation.step();
    }
    crashAll();
  }

  private void runToTheEnd() {
    crashAll(); // what still ran with another program
    for (int step = 0; step < STEPS; step++) {
      if (step % 200 == 0) {
        simulation.startAll();
        if (isRead() && counts().equals(expected())) {
          break;
        }
      }
      simulation.step();
    }
    for (int step = 0; step < 500; step++) {
      simulation.step(); // nothing comes after that
    }
    if (!isRead()) {
      throw new AssertionError(
          "Not read to its end: " + simulation.state() + " " + simulation.failures());
    }
    Scenario.requireEqual("the counts", expected(), counts());
    requireSteps();
    for (Failure failure : simulation.failures()) {
      boolean ofFaults = faults && failure.message().contains("repeatedly");
      if (failure.kind() != Failure.Kind.FENCED
          && failure.kind() != Failure.Kind.MENDABLE
          && !ofFaults) {
        throw new AssertionError("A container ended with " + failure, failure.cause());
      }
    }
  }

  /// How often each operator must have counted each key.
  private Map<String, Long> expected() {
    Map<String, Long> expected = new TreeMap<>();
    commits((split, from, to, by) -> {
      for (int operator : by.operators()) {
        for (String key :
            Objects.requireNonNull(written.get(split)).subList((int) from, (int) to)) {
          expected.merge(operatorOf(countedAs(split), operator) + " " + key, 1L, Long::sum);
        }
      }
      if (by.all()) {
        for (String key :
            Objects.requireNonNull(written.get(split)).subList((int) from, (int) to)) {
          expected.merge(ALL + " " + key, 1L, Long::sum);
        }
      }
    });
    return expected;
  }

  private static String countedAs(Split split) {
    return split.stream().equals(MORE) ? IN : split.stream();
  }

  private boolean isRead() {
    Map<Split, Integer> read = new TreeMap<>();
    commits((split, _, to, _) -> read.put(split, (int) to));
    Map<Split, Integer> all = new TreeMap<>();
    written.forEach((split, keys) -> all.put(split, keys.size()));
    return all.equals(read);
  }

  /// Sees what a commit has read of a split.
  private interface Stretch {
    void read(Split split, long from, long to, Program program);
  }

  private void commits(Stretch stretch) {
    Map<Split, Long> read = new TreeMap<>();
    for (ModelRecord record : simulation.log().records(simulation.plan().changelogTopic())) {
      if (record.key() != null && record.key().equals(CommitRecord.KEY)) {
        CommitRecord commit = CommitRecord.read(Objects.requireNonNull(record.value()));
        Program by = Objects.requireNonNull(programs.get(commit.planVersion()));
        for (CommitRecord.Input input : commit.inputs()) {
          long from = read.getOrDefault(input.split(), 0L);
          long to = input.position().offset();
          if (input.upstream().isEmpty() && to > from) {
            stretch.read(input.split(), from, to, by);
            read.put(input.split(), to);
          }
        }
      }
    }
  }

  private Map<String, List<Long>> all() {
    List<String> names = new ArrayList<>(List.of(ALL));
    for (String input : INPUTS) {
      for (int operator = 0; operator < OPERATORS; operator++) {
        names.add(operatorOf(input, operator));
      }
    }
    Map<String, List<Long>> all = new TreeMap<>();
    for (String name : names) {
      for (ModelRecord record : simulation.log().records(out(name))) {
        all.computeIfAbsent(name + " " + record.keyText(), _ -> new ArrayList<>())
            .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
      }
    }
    return all;
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    all().forEach((key, found) -> counts.put(key, found.getLast()));
    return counts;
  }

  /// A count is the one before it and one.
  private void requireSteps() {
    all()
        .forEach((key, found) ->
            Scenario.requireEqual(
                "counts of " + key,
                LongStream.rangeClosed(1, found.size()).boxed().toList(),
                found));
  }
}
