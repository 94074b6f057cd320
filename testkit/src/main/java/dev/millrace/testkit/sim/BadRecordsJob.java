package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A job some of whose records cannot be decoded, have no value, or are refused by a user's
/// function, before an exchange or behind it. Whatever the policy, every other record counts
/// exactly once; a dead letter is written once, with its bytes, headers, cause and place.
final class BadRecordsJob implements DrawnJob {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 120;
  private static final Bytes GARBAGE = Bytes.of(new byte[] {9, 9, 9});

  /// Refused before the exchange, in the task that read the record.
  private static final long UNLUCKY = 13;

  /// Refused behind the exchange.
  private static final long TOO_LATE = 77;

  record Event(String key, long value, long at) {}

  /// A record of the input.
  ///
  /// @param event null if it has no value, or one that cannot be decoded
  private record Line(RecordPlace place, Bytes key, @Nullable Bytes value, @Nullable Event event) {
    boolean badAtSource() {
      return event == null || event.value() == UNLUCKY;
    }

    boolean badBehindTheExchange() {
      return event != null && event.value() == TOO_LATE;
    }

    Event good() {
      return Objects.requireNonNull(event);
    }
  }

  record Sums(String prefix) implements StreamApplication {
    @Override
    public String name() {
      return prefix + "lucky-sums";
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
          .mapValues(event -> lucky(event))
          .groupByKey()
          .aggregate("sums", () -> 0L, (sum, event) -> sum + event.value())
          .to(Kafka.sink(prefix + "sums").key(Serdes.string()).value(Serdes.longs()));
      events
          .groupBy("by-remainder", event -> "r" + event.value() % 7)
          .aggregate("remainders", () -> 0L, (count, event) -> early(count, event))
          .to(Kafka.sink(prefix + "remainders").key(Serdes.string()).value(Serdes.longs()));
    }

    private static Event lucky(Event event) {
      if (event.value() == UNLUCKY) {
        throw new IllegalStateException("13 is unlucky");
      }
      return event;
    }

    private static Long early(Long count, Event event) {
      if (event.value() == TOO_LATE) {
        throw new IllegalStateException("77 comes too late");
      }
      return count + 1;
    }
  }

  private final String prefix;
  private final SimulationSettings settings;
  private final List<Line> lines = new ArrayList<>();
  private final List<InputRecord> input = new ArrayList<>();

  /// @param prefix of the names of the application and its topics
  BadRecordsJob(long seed, String prefix, SimulationSettings settings) {
    this.prefix = prefix;
    this.settings = settings;
    write(new Seed(seed).fork("events"));
  }

  /// A job of a shape drawn from the seed, which passes bad records over or sends them away.
  static BadRecordsJob drawn(long seed, String prefix) {
    SimulationSettings settings = SimulationSettings.drawn(seed, prefix + "events");
    OnError policy = new Seed(seed).fork("policy").coin() ? OnError.SKIP : OnError.DEAD_LETTER;
    return new BadRecordsJob(
        seed,
        prefix,
        settings.withEngine(engine ->
            engine.withErrors(errors ->
                errors.withOnError(policy).withDeadLetterTopic(deadLetters(policy, prefix)))));
  }

  /// The topic for a policy.
  static String deadLetters(OnError policy, String prefix) {
    return policy == OnError.DEAD_LETTER ? prefix + "dead-letters" : "";
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
    Map<String, Integer> topics = new TreeMap<>();
    topics.put(prefix + "events", PARTITIONS);
    topics.put(prefix + "sums", PARTITIONS);
    topics.put(prefix + "remainders", PARTITIONS);
    return topics;
  }

  private void write(Seed random) {
    BytesWriter out = new BytesWriter();
    Map<Integer, Long> next = new TreeMap<>();
    long at = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      at += random.below(1_000);
      long value = i == 20 ? UNLUCKY : i == 30 ? TOO_LATE : random.below(80);
      Event event = new Event("k" + random.below(8), value, at);
      boolean garbage = i == 25 || random.chance(0.01);
      boolean empty = i == 45;
      Serdes.record(Event.class).write(event, out.clear());
      Bytes bytes = empty ? null : garbage ? GARBAGE : Bytes.of(out.toByteArray());
      Bytes key = Bytes.ofUtf8(event.key());
      Headers.begin(1, out.clear());
      Headers.write("origin", ("record " + i).getBytes(StandardCharsets.UTF_8), out);
      int partition = Partitioner.partition(key, PARTITIONS);
      long offset = next.getOrDefault(partition, 0L);
      next.put(partition, offset + 1);
      RecordPlace place = new RecordPlace(prefix + "events", partition, offset);
      lines.add(new Line(place, key, bytes, garbage || empty ? null : event));
      input.add(
          new InputRecord(
              new Split(place.topic(), partition), 0, key, bytes, Bytes.of(out.toByteArray())));
    }
  }

  @Override
  public List<InputRecord> input() {
    return input;
  }

  Set<RecordPlace> badAtSource() {
    Set<RecordPlace> places = new LinkedHashSet<>();
    lines.stream().filter(Line::badAtSource).forEach(bad -> places.add(bad.place()));
    return places;
  }

  long refusedBehindTheExchange() {
    return lines.stream().filter(Line::badBehindTheExchange).count();
  }

  @Override
  public void requireExact(Written written) {
    Map<String, List<Long>> sums = expectedSums();
    Map<String, List<Long>> remainders = expectedRemainders();
    Scenario.requireEqual("topic 'sums'", sums, found("sums", written));
    Scenario.requireEqual("topic 'remainders'", remainders, found("remainders", written));
    requireStore("sums", sums, written);
    requireStore("remainders", remainders, written);
    if (settings.engine().errors().onError() == OnError.DEAD_LETTER) {
      requireDeadLetters(written);
    }
  }

  private static void requireStore(
      String store, Map<String, List<Long>> expected, Written written) {
    Map<String, Long> last = new TreeMap<>();
    expected.forEach((key, values) -> last.put(key, values.getLast()));
    Scenario.requireEqual(
        "store '" + store + "'", last, written.store(store, Serdes.string(), Serdes.longs()));
  }

  /// What is there is right, as far as it goes.
  void requirePrefix(Written written) {
    Map<String, List<Long>> expected = expectedSums();
    found("sums", written)
        .forEach((key, sums) -> {
          List<Long> all = expected.getOrDefault(key, List.of());
          Scenario.requireEqual(
              "sums of " + key, all.subList(0, Math.min(all.size(), sums.size())), sums);
        });
  }

  private Map<String, List<Long>> expectedSums() {
    Map<String, List<Long>> expected = new TreeMap<>();
    for (Line line : lines) {
      if (!line.badAtSource()) {
        List<Long> sums = expected.computeIfAbsent(line.good().key(), _ -> new ArrayList<>());
        sums.add((sums.isEmpty() ? 0 : sums.getLast()) + line.good().value());
      }
    }
    return expected;
  }

  private Map<String, List<Long>> expectedRemainders() {
    Map<String, List<Long>> expected = new TreeMap<>();
    for (Line line : lines) {
      if (!line.badAtSource() && !line.badBehindTheExchange()) {
        List<Long> counts =
            expected.computeIfAbsent("r" + line.good().value() % 7, _ -> new ArrayList<>());
        counts.add(counts.size() + 1L);
      }
    }
    return expected;
  }

  private Map<String, List<Long>> found(String topic, Written written) {
    Map<String, List<Long>> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      found
          .computeIfAbsent(Objects.requireNonNull(record.keyText()), _ -> new ArrayList<>())
          .add(Serdes.longs().read(Objects.requireNonNull(record.value())));
    }
    return found;
  }

  private void requireDeadLetters(Written written) {
    Map<RecordPlace, ModelRecord> letters = new LinkedHashMap<>();
    for (ModelRecord letter : written.records(settings.engine().errors().deadLetterTopic())) {
      RecordPlace place =
          new RecordPlace(
              header(letter, "millrace.topic"),
              Integer.parseInt(header(letter, "millrace.partition")),
              Long.parseLong(header(letter, "millrace.offset")));
      if (letters.put(place, letter) != null || header(letter, "millrace.operator").isEmpty()) {
        throw new AssertionError("A dead letter came twice, or names no operator: " + letter);
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      if (line.badAtSource()) {
        ModelRecord letter = letters.remove(line.place());
        if (letter == null) {
          throw new AssertionError("There is no dead letter of " + line.place());
        }
        Scenario.requireEqual("a dead letter's key", line.key(), key(letter));
        if (!Objects.equals(line.value(), letter.value())) {
          throw new AssertionError("A dead letter has another value: " + letter);
        }
        Scenario.requireEqual("its origin", "record " + i, header(letter, "origin"));
        if (line.event() != null) {
          Scenario.requireEqual("its cause", "13 is unlucky", header(letter, "millrace.cause"));
        }
      }
    }
    Scenario.requireEqual(
        "the dead letters of the exchange", refusedBehindTheExchange(), (long) letters.size());
    letters.forEach((place, letter) -> {
      Scenario.requireEqual(
          "the topic of one", prefix + "lucky-sums.by-remainder-exchange", place.topic());
      Scenario.requireEqual("its cause", "77 comes too late", header(letter, "millrace.cause"));
    });
  }

  private static Bytes key(ModelRecord record) {
    return Objects.requireNonNull(record.key());
  }

  private static String header(ModelRecord record, String name) {
    List<String> values =
        record.headers().stream()
            .filter(header -> header.name().equals(name))
            .map(header -> Objects.requireNonNull(header.value()).toUtf8())
            .toList();
    if (values.size() != 1) {
      throw new AssertionError("Expected one header " + name + " in " + record);
    }
    return values.getFirst();
  }
}
