package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.chain.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.state.StateLimits;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// One simulated run of a job with both kinds of state, and what a plain computation says it must
/// write.
final class SumsJob {
  private static final int PARTITIONS = 3;
  private static final int RECORDS = 300;

  record Event(String key, long value, long at) {}

  /// Sums a key, and the three most frequent remainders of ten seconds.
  static final class Sums implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var events =
          topology.from(
              Kafka.topic("events")
                  .key(Serdes.string())
                  .value(Serdes.record(Event.class))
                  .eventTime(event -> Instant.ofEpochMilli(event.at()))
                  .asBounded());
      events
          .groupByKey()
          .aggregate("sums", () -> 0L, (sum, event) -> sum + event.value())
          .to(Kafka.topic("sums").key(Serdes.string()).value(Serdes.longs()));
      events
          .filter(event -> event.value() % 2 == 0)
          .groupBy("by-remainder", event -> "r" + event.value() % 7)
          .window(tumbling(Duration.ofSeconds(10)))
          .count("counts")
          .topK(
              "top",
              3,
              r ->
                  r.window().start().toEpochMilli()
                      + " "
                      + r.rank()
                      + " "
                      + r.key()
                      + " "
                      + r.value())
          .to(Kafka.topic("top").value(Serdes.string()));
    }
  }

  private final Simulation simulation;
  private final List<Event> events;

  private SumsJob(Simulation simulation, List<Event> events) {
    this.simulation = simulation;
    this.events = events;
  }

  /// Settings of a shape drawn from the seed.
  static SimulationSettings drawn(long seed) {
    Seed choices = new Seed(seed).fork("shape");
    SimulationSettings settings =
        SimulationSettings.of("events")
            .withShape(choices.between(1, 3), choices.between(1, 3), choices.coin());
    return choices.coin()
        ? settings.withLimits(
            StateLimits.defaults().withCacheBytes(2_000).withCommittedShareBytes(4_000))
        : settings;
  }

  /// Runs the job to its end; what it wrote is not looked at.
  ///
  /// @param faults whether the log has faults too
  static SumsJob run(
      long seed, SimulationSettings settings, CrashSchedule schedule, boolean faults) {
    try {
      return simulate(seed, settings, schedule, faults);
    } catch (RuntimeException | AssertionError e) { // outermost: any failure is one of the seed
      throw new AssertionError("seed " + seed + " " + settings + ": " + e.getMessage(), e);
    }
  }

  /// A job whose input is written and that is not started.
  static SumsJob prepared(long seed, SimulationSettings settings) {
    Simulation simulation = new Simulation(seed, new Sums(), settings);
    simulation.log().createTopic("events", PARTITIONS);
    simulation.log().createTopic("sums", 2);
    simulation.log().createTopic("top", 2);
    SumsJob job = new SumsJob(simulation, write(simulation, seed));
    simulation.plan();
    return job;
  }

  Simulation simulation() {
    return simulation;
  }

  private static SumsJob simulate(
      long seed, SimulationSettings settings, CrashSchedule schedule, boolean faults) {
    SumsJob job = prepared(seed, settings);
    Simulation simulation = job.simulation;
    Chaos.run(simulation, seed, schedule, faults);
    for (int i = 0; i < settings.containers(); i++) {
      var engine = simulation.engine(i);
      if (engine != null) {
        engine
            .taskMetrics()
            .forEach((task, metrics) -> {
              if (metrics.late() > 0) {
                throw new AssertionError(
                    metrics.late() + " records came late to task " + task + ".");
              }
            });
      }
    }
    return job;
  }

  /// Looks at every row that was written.
  ///
  /// @throws AssertionError if it is not what a plain computation says
  void requireExact() {
    Scenario.requireEqual("topic 'sums'", expectedSums(), sums());
    Scenario.requireEqual("topic 'top'", expectedTop(), top());
  }

  private static List<Event> write(Simulation simulation, long seed) {
    Seed random = new Seed(seed).fork("events");
    List<Event> events = new ArrayList<>();
    var serde = Serdes.record(Event.class);
    long at = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      at += random.below(1_000);
      Event event = new Event("k" + random.below(12), random.below(100), at);
      events.add(event);
      byte[] key = event.key().getBytes(StandardCharsets.UTF_8);
      var out = new BytesWriter();
      serde.write(event, out);
      simulation
          .log()
          .append(
              new Split("events", Partitioner.partition(Bytes.of(key), PARTITIONS)),
              0,
              key,
              out.toByteArray(),
              new byte[0]);
    }
    return events;
  }

  /// Every key's running sums, in order: an update lost, doubled or out of order shows.
  Map<String, List<Long>> expectedSums() {
    Map<String, Long> running = new HashMap<>();
    Map<String, List<Long>> expected = new TreeMap<>();
    for (Event event : events) {
      long sum = running.getOrDefault(event.key(), 0L) + event.value();
      running.put(event.key(), sum);
      expected.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(sum);
    }
    return expected;
  }

  Map<String, List<Long>> sums() {
    Map<String, List<Long>> found = new TreeMap<>();
    for (ModelRecord record : simulation.log().records("sums")) {
      found
          .computeIfAbsent(Objects.requireNonNull(record.keyText()), key -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    return found;
  }

  List<String> expectedTop() {
    Map<Long, Map<String, Long>> windows = new TreeMap<>();
    for (Event event : events) {
      if (event.value() % 2 == 0) {
        windows
            .computeIfAbsent(event.at() / 10_000 * 10_000, start -> new TreeMap<>())
            .merge("r" + event.value() % 7, 1L, Long::sum);
      }
    }
    List<String> expected = new ArrayList<>();
    windows.forEach((start, counts) -> {
      List<Map.Entry<String, Long>> ranked = new ArrayList<>(counts.entrySet());
      ranked.sort(
          Comparator.comparingLong((Map.Entry<String, Long> entry) -> -entry.getValue())
              .thenComparing(Map.Entry::getKey));
      for (int rank = 1; rank <= Math.min(3, ranked.size()); rank++) {
        expected.add(
            start
                + " "
                + rank
                + " "
                + ranked.get(rank - 1).getKey()
                + " "
                + ranked.get(rank - 1).getValue());
      }
    });
    expected.sort(null);
    return expected;
  }

  List<String> top() {
    List<String> found = new ArrayList<>();
    for (ModelRecord record : simulation.log().records("top")) {
      found.add(Objects.requireNonNull(record.valueText()));
    }
    found.sort(null);
    return found;
  }
}
