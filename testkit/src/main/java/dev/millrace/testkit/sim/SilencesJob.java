package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.stream;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A job whose inputs have no end, and whose partitions fall silent and come back: windows and
/// joins have to go on without those that are idle, before an exchange and behind it, and no record
/// of one that comes back may be late. Its input is written while it runs, by [Silences].
final class SilencesJob implements DrawnJob {
  private static final Duration IDLE_AFTER = Duration.ofSeconds(2);
  private static final Duration WINDOW = Duration.ofMillis(Silences.WINDOW_MILLIS);

  private final String prefix;
  private final SimulationSettings settings;
  private final Silences silences;

  private SilencesJob(long seed, String prefix) {
    this.prefix = prefix;
    silences = new Silences(new Seed(seed).fork("silences"), prefix, IDLE_AFTER);
    List<String> read = new ArrayList<>(silences.topics());
    read.add(Silences.MARKS);
    SimulationSettings drawn =
        SimulationSettings.drawn(seed, read.stream().map(prefix::concat).toArray(String[]::new));
    settings =
        drawn.withEngine(engine -> engine.withInput(input -> input.withIdleAfter(IDLE_AFTER)));
  }

  static SilencesJob drawn(long seed, String prefix) {
    return new SilencesJob(seed, prefix);
  }

  /// What it does. A value is its kind, its number and its event time.
  private record Counting(String prefix, Silences silences) implements StreamApplication, Outside {
    @Override
    public String name() {
      return prefix + "silences";
    }

    @Override
    public void goOn() {
      silences.goOn();
    }

    @Override
    public boolean isOver() {
      return silences.isOver();
    }

    private KafkaKeyedSource<String, String> source(String name) {
      return Kafka.source(prefix + name).key(Serdes.string()).value(Serdes.string());
    }

    private KafkaKeyedSink<String, String> sink(String name) {
      return Kafka.sink(prefix + name).key(Serdes.string()).value(Serdes.string());
    }

    private static Instant at(String value) {
      return Instant.ofEpochMilli(Long.parseLong(value.split(" ", -1)[2]));
    }

    @Override
    public void describe(Topology topology) {
      List<String> topics = silences.topics().stream().map(prefix::concat).toList();
      KeyedStream<String, String> events =
          topology.from(
              Kafka.sources(topics)
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(Counting::at));
      KeyedStream<String, String> marks =
          topology.from(source(Silences.MARKS).eventTime(Counting::at));
      events.merge(marks).to(sink(Silences.SEEN));
      events
          .groupByKey()
          .window(tumbling(WINDOW).allowedLateness(Duration.ZERO))
          .count("by-key")
          .results(r -> r.window().end().toEpochMilli() + " " + r.value())
          .to(sink(Silences.BY_KEY));
      events
          .groupBy("of-kind", value -> value.split(" ", -1)[0])
          .window(tumbling(WINDOW).allowedLateness(Duration.ZERO))
          .count("by-kind")
          .results(r -> r.window().end().toEpochMilli() + " " + r.value())
          .to(sink(Silences.BY_KIND));
      events
          .leftJoin(
              "pairing",
              stream(
                  marks,
                  Within.of(Duration.ofMillis(Silences.NEAR_MILLIS))
                      .allowedLateness(Duration.ZERO)),
              (event, mark) -> event + " and " + mark)
          .to(sink(Silences.PAIRED));
    }
  }

  @Override
  public StreamApplication application() {
    return new Counting(prefix, silences);
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    Map<String, Integer> topics = new TreeMap<>();
    silences.topics().forEach(topic -> topics.put(prefix + topic, silences.partitions()));
    for (String topic : List.of(Silences.MARKS, Silences.SEEN)) {
      topics.put(prefix + topic, silences.partitions());
    }
    for (String topic : List.of(Silences.BY_KEY, Silences.BY_KIND, Silences.PAIRED)) {
      topics.put(prefix + topic, 1);
    }
    return topics;
  }

  /// None yet: it is written while the job runs.
  @Override
  public List<InputRecord> input() {
    return List.of();
  }

  @Override
  public void begin(ModelLog log) {
    silences.begin(log);
  }

  @Override
  public void requireExact(Written written) {
    require(Silences.BY_KEY, silences.byKey(), written);
    require(Silences.BY_KIND, silences.byKind(), written);
    require(Silences.PAIRED, silences.paired(), written);
  }

  private void require(String topic, List<String> expected, Written written) {
    List<String> found = new ArrayList<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      found.add(record.keyText() + "=" + Objects.requireNonNull(record.valueText()));
    }
    Scenario.requireEqual(
        "topic '" + topic + "'",
        expected.stream().sorted().toList(),
        found.stream().sorted().toList());
  }
}
