package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// A job with both kinds of state.
final class SumsJob implements DrawnJob {
  private static final int PARTITIONS = 3;
  static final int RECORDS = 200;

  record Event(String key, long value, long at) {}

  /// Sums a key, and the three most frequent remainders of ten seconds.
  record Sums(String prefix) implements StreamApplication {
    @Override
    public String name() {
      return prefix + "sums";
    }

    @Override
    public void describe(Topology topology) {
      var events =
          topology.from(
              Kafka.source(prefix + "events")
                  .key(Serdes.string())
                  .value(Serdes.record(Event.class))
                  .eventTime(event -> Instant.ofEpochMilli(event.at()))
                  .asBounded());
      events
          .groupByKey()
          .aggregate("sums", () -> 0L, (sum, event) -> sum + event.value())
          .to(Kafka.sink(prefix + "sums").key(Serdes.string()).value(Serdes.longs()));
      events
          .filter(event -> event.value() % 2 == 0)
          .groupBy("by-remainder", event -> "r" + event.value() % 7)
          .window(tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ZERO))
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
          .to(Kafka.sink(prefix + "top").value(Serdes.string()));
    }
  }

  private final String prefix;
  private final SimulationSettings settings;
  private final List<Event> events;

  /// @param prefix of the names of the application and its topics
  /// @param records how many there are in its input
  SumsJob(long seed, String prefix, SimulationSettings settings, int records) {
    this.prefix = prefix;
    this.settings = settings;
    events = events(seed, records);
  }

  /// A job of a shape drawn from the seed.
  static SumsJob drawn(long seed, String prefix) {
    return new SumsJob(seed, prefix, SimulationSettings.drawn(seed, prefix + "events"), RECORDS);
  }

  /// The same, whose results are written at least once.
  static SumsJob atLeastOnce(long seed, String prefix) {
    SimulationSettings settings = SimulationSettings.drawn(seed, prefix + "events");
    return new SumsJob(
        seed,
        prefix,
        settings.withEngine(
            engine -> engine.withCommit(commit -> commit.withGuarantee(Guarantee.AT_LEAST_ONCE))),
        RECORDS);
  }

  @Override
  public StreamApplication application() {
    return new Sums(prefix);
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    return new TreeMap<>(
        Map.of(prefix + "events", PARTITIONS, prefix + "sums", 2, prefix + "top", 2));
  }

  @Override
  public void requireExact(Written written) {
    requireState(written);
    if (settings.engine().commit().guarantee() == Guarantee.EXACTLY_ONCE) {
      requireRowsExact(written);
    } else {
      requireNoneMissing(written);
    }
  }

  /// Every row is there once.
  void requireRowsExact(Written written) {
    Scenario.requireEqual("topic 'sums'", expectedSums(), sums(written));
    Scenario.requireEqual("topic 'top'", expectedTop(), top(written));
  }

  /// Every row is there. Nothing is said about the last one of a key: what a dead process had under
  /// way may arrive behind what its successor wrote.
  private void requireNoneMissing(Written written) {
    Scenario.requireEqual(
        "topic 'sums', each where it came first", firsts(expectedSums()), firsts(sums(written)));
    Scenario.requireEqual(
        "topic 'top', without repetitions",
        new TreeSet<>(expectedTop()),
        new TreeSet<>(top(written)));
  }

  /// Sums that stand still are counted once.
  private static Map<String, List<Long>> firsts(Map<String, List<Long>> sums) {
    Map<String, List<Long>> firsts = new TreeMap<>();
    sums.forEach((key, all) -> firsts.put(key, List.copyOf(new LinkedHashSet<>(all))));
    return firsts;
  }

  /// What is kept is the fold of the input, and nothing is left of windows that were closed.
  void requireState(Written written) {
    Map<String, Long> last = new TreeMap<>();
    expectedSums().forEach((key, sums) -> last.put(key, sums.getLast()));
    Scenario.requireEqual(
        "store 'sums'", last, written.store("sums", Serdes.string(), Serdes.longs()));
    Scenario.requireEqual(
        "store 'counts'", Map.of(), written.store("counts", Serdes.view(), Serdes.longs()));
  }

  private static List<Event> events(long seed, int records) {
    Seed random = new Seed(seed).fork("events");
    List<Event> events = new ArrayList<>();
    long at = 1_000_000;
    for (int i = 0; i < records; i++) {
      at += random.below(1_000);
      events.add(new Event("k" + random.below(12), random.below(100), at));
    }
    return events;
  }

  @Override
  public List<InputRecord> input() {
    BytesWriter out = new BytesWriter();
    List<InputRecord> input = new ArrayList<>();
    for (Event event : events) {
      Bytes key = Bytes.ofUtf8(event.key());
      Serdes.record(Event.class).write(event, out.clear());
      Split split = new Split(prefix + "events", Partitioner.partition(key, PARTITIONS));
      input.add(new InputRecord(split, 0, key, Bytes.of(out.toByteArray())));
    }
    return input;
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

  Map<String, List<Long>> sums(Written written) {
    Map<String, List<Long>> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + "sums")) {
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

  List<String> top(Written written) {
    List<String> found = new ArrayList<>();
    for (ModelRecord record : written.records(prefix + "top")) {
      found.add(Objects.requireNonNull(record.valueText()));
    }
    found.sort(null);
    return found;
  }
}
