package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A job whose keys and values are bytes, as views or as copies, in operators that keep them for a
/// record, a batch, a window, a commit and longer. Bytes of another record in their place show.
final class ViewsJob implements DrawnJob {
  private static final int PARTITIONS = 3;
  private static final int RECORDS = 150;
  private static final int WINDOW_MILLIS = 10_000;
  private static final int APART_MILLIS = 3_000;
  private static final int RANKED = 2;

  /// Some begin as others do, and one is empty.
  private static final List<String> KEYS =
      List.of("", "a", "ab", "abc", "b", "ba", "b-longer-than-the-others", "Ω");

  private record Entry(String key, String value, long at) {
    String head() {
      return value.substring(0, 1);
    }

    long window() {
      return at / WINDOW_MILLIS;
    }
  }

  /// Of each key the values of even lengths, the largest so far, the one before, and those that are
  /// apart; of windows of the values that begin with the same letter the least, and the letters
  /// whose largest is the largest.
  private record Views(String prefix, Serde<Bytes> keys, Serde<Bytes> values)
      implements StreamApplication {
    @Override
    public String name() {
      return prefix + "views";
    }

    @Override
    public void describe(Topology topology) {
      var entries = topology.from(source("entries").asBounded());
      entries.branch(value -> value.length() % 2 == 0).matching().to(sink("even"));
      entries.groupByKey().reduce("largest", Views::largest).to(sink("largest"));
      StoreSpec<Bytes, Bytes> kept = StoreSpec.keyValue("kept", keys, values).withRanges();
      entries
          .process("before", () -> new Before(kept), kept)
          .mapValues(value -> value)
          .as(values)
          .to(sink("before"));
      entries.groupByKey().deduplicate("apart", Duration.ofMillis(APART_MILLIS)).to(sink("apart"));
      var windows =
          entries
              .groupBy("by-head", Views::head)
              .keyAs(keys)
              .window(tumbling(Duration.ofMillis(WINDOW_MILLIS)).allowedLateness(Duration.ZERO));
      windows
          .apply("least", (_, all) -> all.stream().min(Comparator.naturalOrder()).get())
          .as(values)
          .results(result -> result.value())
          .as(values)
          .to(sink("least"));
      windows
          .reduce("most", Views::largest)
          .topK("top", RANKED, ranked -> ranked.key().toUtf8() + "=" + ranked.value().toUtf8())
          .to(Kafka.sink(prefix + "top").value(Serdes.string()));
    }

    private KafkaKeyedSource<Bytes, Bytes> source(String name) {
      return Kafka.source(prefix + name).key(keys).value(values);
    }

    private KafkaKeyedSink<Bytes, Bytes> sink(String name) {
      return Kafka.sink(prefix + name).key(keys).value(values);
    }

    private static Bytes head(Bytes value) {
      return new Bytes().set(value.array(), value.offset(), 1);
    }

    private static Bytes largest(Bytes one, Bytes other) {
      return one.compareTo(other) < 0 ? other : one;
    }
  }

  /// Emits what a key had before.
  private static final class Before implements Processor<Bytes, Bytes, Bytes> {
    private final StoreSpec<Bytes, Bytes> spec;
    private @Nullable KeyValueStore<Bytes, Bytes> store;

    Before(StoreSpec<Bytes, Bytes> spec) {
      this.spec = spec;
    }

    @Override
    public void open(ProcessorContext<Bytes> context) {
      store = context.store(spec);
    }

    @Override
    public void process(Records<Bytes, Bytes> records, Output<Bytes> out) {
      KeyValueStore<Bytes, Bytes> open = Objects.requireNonNull(store);
      while (records.next()) {
        Bytes key = Objects.requireNonNull(records.key());
        Bytes[] found = {null};
        open.range(
            key,
            null,
            (_, value) -> {
              found[0] = value.copy();
              return false;
            });
        Bytes before = open.get(key);
        if (before != null) {
          if (!before.equals(found[0])) {
            throw new AssertionError("A range begins with another value: " + found[0]);
          }
          out.emit(before, records.timestamp());
        }
        open.put(key, records.value());
      }
    }
  }

  private final String prefix;
  private final SimulationSettings settings;
  private final Views application;
  private final List<Entry> entries = new ArrayList<>();

  private ViewsJob(long seed, String prefix) {
    this.prefix = prefix;
    settings = SimulationSettings.drawn(seed, prefix + "entries");
    Seed random = new Seed(seed).fork("views");
    application = new Views(prefix, serde(random), serde(random));
    long at = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      at += random.below(1_000);
      String value = "xyz".charAt(random.below(3)) + "" + random.below(1_000_000);
      entries.add(
          new Entry(
              KEYS.get(random.below(KEYS.size())),
              random.chance(0.1) ? value + "-".repeat(random.below(300)) : value,
              at));
    }
  }

  static ViewsJob drawn(long seed, String prefix) {
    return new ViewsJob(seed, prefix);
  }

  private static Serde<Bytes> serde(Seed random) {
    return random.coin() ? Serdes.view() : Serdes.forType(new TypeRef<Bytes>() {});
  }

  @Override
  public StreamApplication application() {
    return application;
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    Map<String, Integer> topics = new TreeMap<>(Map.of(prefix + "entries", PARTITIONS));
    List.of("even", "largest", "before", "apart", "least", "top")
        .forEach(topic -> topics.put(prefix + topic, 2));
    return topics;
  }

  @Override
  public List<InputRecord> input() {
    List<InputRecord> input = new ArrayList<>();
    for (Entry entry : entries) {
      Bytes key = Bytes.ofUtf8(entry.key());
      Split split = new Split(prefix + "entries", Partitioner.partition(key, PARTITIONS));
      input.add(new InputRecord(split, entry.at(), key, Bytes.ofUtf8(entry.value())));
    }
    return input;
  }

  @Override
  public void requireExact(Written written) {
    Map<String, List<String>> even = new TreeMap<>();
    Map<String, List<String>> largest = new TreeMap<>();
    Map<String, List<String>> before = new TreeMap<>();
    Map<String, List<String>> apart = new TreeMap<>();
    Map<String, Entry> last = new TreeMap<>();
    Map<String, Long> passed = new TreeMap<>();
    Map<String, String> largestOf = new TreeMap<>();
    for (Entry entry : entries) {
      String key = entry.key();
      if (entry.value().length() % 2 == 0) {
        add(even, key, entry.value());
      }
      String most = larger(entry.value(), largestOf.getOrDefault(key, ""));
      largestOf.put(key, most);
      add(largest, key, most);
      Entry previous = last.put(key, entry);
      if (previous != null) {
        add(before, key, previous.value());
      }
      Long went = passed.get(key);
      if (went == null || entry.at() - went >= APART_MILLIS) {
        passed.put(key, entry.at());
        add(apart, key, entry.value());
      }
    }
    Scenario.requireEqual("topic 'even'", even, byKey(written, "even"));
    Scenario.requireEqual("topic 'largest'", largest, byKey(written, "largest"));
    Scenario.requireEqual("topic 'before'", before, byKey(written, "before"));
    Scenario.requireEqual("topic 'apart'", apart, byKey(written, "apart"));
    requireWindows(written);
    Map<String, String> kept = new TreeMap<>();
    last.forEach((key, entry) -> kept.put(key, entry.value()));
    Scenario.requireEqual(
        "store 'kept'", kept, written.store("kept", Serdes.string(), Serdes.string()));
    Scenario.requireEqual(
        "store 'largest'", largestOf, written.store("largest", Serdes.string(), Serdes.string()));
  }

  private void requireWindows(Written written) {
    Map<Long, Map<String, String>> least = new TreeMap<>();
    Map<Long, Map<String, String>> most = new TreeMap<>();
    for (Entry entry : entries) {
      least
          .computeIfAbsent(entry.window(), _ -> new TreeMap<>())
          .merge(entry.head(), entry.value(), ViewsJob::smaller);
      most.computeIfAbsent(entry.window(), _ -> new TreeMap<>())
          .merge(entry.head(), entry.value(), ViewsJob::larger);
    }
    List<String> expected = new ArrayList<>();
    least.forEach((_, heads) -> heads.forEach((head, value) -> expected.add(head + "=" + value)));
    Scenario.requireEqual("topic 'least'", sorted(expected), sorted(lines(written, "least")));
    List<String> top = new ArrayList<>();
    most.forEach((_, heads) ->
        heads.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(RANKED)
            .forEach(each -> top.add(each.getKey() + "=" + each.getValue())));
    List<String> found = new ArrayList<>();
    written
        .records(prefix + "top")
        .forEach(record -> found.add(Objects.requireNonNull(record.valueText())));
    Scenario.requireEqual("topic 'top'", sorted(top), sorted(found));
  }

  private static String larger(String one, String other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static String smaller(String one, String other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void add(Map<String, List<String>> lists, String key, String value) {
    lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  private Map<String, List<String>> byKey(Written written, String topic) {
    Map<String, List<String>> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      add(found, text(record.keyText()), text(record.valueText()));
    }
    return found;
  }

  private List<String> lines(Written written, String topic) {
    List<String> found = new ArrayList<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      found.add(text(record.keyText()) + "=" + text(record.valueText()));
    }
    return found;
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNull(text);
  }
}
