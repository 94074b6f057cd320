package dev.millrace.testkit.sim;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.settings.DeadLetter;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A job with bad records in runs, some of which fill a partition, and which fail at every kind of
/// place: some before anything came of them, some when another branch or operator had done its work
/// already, some when a function had changed its state half-way. What is left is what a job gives
/// that never had them, and each is a dead letter once.
final class BadRunsJob implements DrawnJob {
  private static final int MOST_PARTITIONS = 3;
  private static final int RECORDS = 160;
  private static final int KEYS = 9;
  private static final String CAUSE = "It fails at ";

  /// Where a record fails.
  enum At {
    NOWHERE,
    VALUE,
    EVENT_TIME,
    FILTER,
    MAP,
    AGGREGATE,
    FLAT_MAP,
    KEY,
    PROCESS,
    SINK,
    EXCHANGED,
    ANSWERED
  }

  /// @param at the name of the place where it fails
  record Event(String key, long id, long value, String at, long time) {
    /// Fails if this is where it does.
    Event check(At place) {
      if (place() == place) {
        throw new IllegalStateException(CAUSE + place);
      }
      return this;
    }

    boolean isBad() {
      return place() != At.NOWHERE;
    }

    At place() {
      return At.valueOf(at);
    }

    /// Whether it is passed over as a whole: not if what fails is a record behind an exchange, or a
    /// row with its answer.
    boolean isPassedOver() {
      return isBad() && place() != At.EXCHANGED && place() != At.ANSWERED;
    }
  }

  /// A sum that is changed in place.
  static final class Tally {
    private long count;
    private long sum;

    Tally add(Event event) {
      count++;
      event.check(At.AGGREGATE);
      sum += event.value();
      return this;
    }
  }

  /// Fails where an event does that fails at one of two places.
  private record FailingSerde(At reads, At writes) implements Serde<Event> {
    @Override
    public String id() {
      return "failing-event";
    }

    @Override
    public void write(Event value, BytesWriter out) {
      Serdes.record(Event.class).write(value, out);
      value.check(writes);
    }

    @Override
    public Event read(Bytes in) {
      return Serdes.record(Event.class).read(in).check(reads);
    }
  }

  /// Fails at keys of records that fail there.
  private record KeySerde() implements Serde<String> {
    @Override
    public String id() {
      return "failing-key";
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public void write(String value, BytesWriter out) {
      Serdes.string().write(value, out);
    }

    @Override
    public String read(Bytes in) {
      String key = Serdes.string().read(in);
      if (key.startsWith("bad")) {
        throw new IllegalStateException(CAUSE + At.KEY);
      }
      return key;
    }
  }

  private record TallySerde() implements Serde<Tally> {
    @Override
    public String id() {
      return "tally";
    }

    @Override
    public void write(Tally value, BytesWriter out) {
      Serdes.string().write(value.count + ":" + value.sum, out);
    }

    @Override
    public Tally read(Bytes in) {
      String[] parts = Serdes.string().read(in).split(":");
      Tally tally = new Tally();
      tally.count = Long.parseLong(parts[0]);
      tally.sum = Long.parseLong(parts[1]);
      return tally;
    }
  }

  /// Counts in a store, and in a field what it has counted since it was opened.
  private static final class Counting implements Processor<String, Event, String> {
    private final StoreSpec<String, Long> spec;
    private @Nullable KeyValueStore<String, Long> store;

    Counting(StoreSpec<String, Long> spec) {
      this.spec = spec;
    }

    @Override
    public void open(ProcessorContext<String> opened) {
      store = opened.store(spec);
    }

    @Override
    public void process(Records<String, Event> records, Output<String> out) {
      KeyValueStore<String, Long> counts = Objects.requireNonNull(store);
      while (records.next()) {
        String key = Objects.requireNonNull(records.key());
        Long before = counts.get(key);
        long count = before == null ? 1 : before + 1;
        counts.put(key, count);
        out.emit("first of " + count);
        records.value().check(At.PROCESS);
        out.emit("second of " + count);
      }
    }
  }

  record Application(String prefix) implements StreamApplication {
    @Override
    public String name() {
      return prefix + "bad-runs";
    }

    @Override
    public void describe(Topology topology) {
      var events =
          topology.from(
              Kafka.source(prefix + "events")
                  .key(new KeySerde())
                  .value(new FailingSerde(At.VALUE, At.NOWHERE))
                  .eventTime(event -> Instant.ofEpochMilli(event.check(At.EVENT_TIME).time()))
                  .asBounded());
      var checked =
          events
              .filter(event -> event.check(At.FILTER).id() >= 0)
              .mapValues(event -> event.check(At.MAP));
      checked
          .groupByKey()
          .aggregate("tallies", Tally::new, (tally, event) -> tally.add(event))
          .as(new TallySerde())
          .to(Kafka.sink(prefix + "tallies").key(new KeySerde()).value(new TallySerde()));
      checked.flatMapValues(event -> parts(event)).as(Serdes.string()).to(texts("parts"));
      StoreSpec<String, Long> counts =
          StoreSpec.keyValue("counts", Serdes.string(), Serdes.longs());
      checked.process("counting", () -> new Counting(counts), counts).to(texts("counts"));
      checked.to(
          Kafka.sink(prefix + "copies")
              .key(new KeySerde())
              .value(new FailingSerde(At.NOWHERE, At.SINK)));
      checked
          .call("ask", Call.<Event, Event>blocking(event -> event))
          .as(Serdes.record(Event.class))
          .mapValues(event -> "answer to " + event.check(At.ANSWERED).id())
          .as(Serdes.string())
          .to(texts("answers"));
      events
          .groupBy("by-remainder", event -> "r" + event.value() % 5)
          .keyAs(Serdes.string())
          .aggregate("remainders", () -> 0L, (count, event) -> counted(count, event))
          .to(Kafka.sink(prefix + "remainders").key(Serdes.string()).value(Serdes.longs()));
    }

    private KafkaKeyedSink<String, String> texts(String topic) {
      return Kafka.sink(prefix + topic).key(new KeySerde()).value(Serdes.string());
    }

    private static Long counted(Long count, Event event) {
      event.check(At.EXCHANGED);
      return count + 1;
    }

    /// Two parts, behind the first of which it may fail.
    private static Iterable<String> parts(Event event) {
      return () -> {
        Iterator<String> all = List.of("a" + event.id(), "b" + event.id()).iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return all.hasNext();
          }

          @Override
          public String next() {
            String next = all.next();
            if (next.startsWith("b")) {
              event.check(At.FLAT_MAP);
            }
            return next;
          }
        };
      };
    }
  }

  private final String prefix;
  private final SimulationSettings settings;
  private final int partitions;
  private final List<Event> events = new ArrayList<>();
  private final List<InputRecord> input = new ArrayList<>();

  /// @param prefix of the names of the application and its topics
  BadRunsJob(long seed, String prefix, SimulationSettings settings) {
    this.prefix = prefix;
    this.settings = settings;
    Seed random = new Seed(seed).fork("runs");
    partitions = random.between(1, MOST_PARTITIONS);
    write(random);
  }

  /// A job of a shape drawn from the seed.
  static BadRunsJob drawn(long seed, String prefix) {
    SimulationSettings settings = SimulationSettings.drawn(seed, prefix + "events");
    OnError policy = new Seed(seed).fork("policy").coin() ? OnError.SKIP : OnError.DEAD_LETTER;
    String letters = BadRecordsJob.deadLetters(policy, prefix);
    return new BadRunsJob(
        seed,
        prefix,
        settings.withEngine(engine ->
            engine.withErrors(errors -> errors.withOnError(policy).withDeadLetterTopic(letters))));
  }

  private void write(Seed random) {
    BytesWriter out = new BytesWriter();
    int allBad = random.coin() ? random.below(partitions) : -1;
    double runs = random.coin() ? 0.02 : 0.2;
    int left = 0;
    At at = At.NOWHERE;
    long time = 1_000_000;
    for (int i = 0; i < RECORDS; i++) {
      time += random.below(500);
      String key = "k" + random.below(KEYS);
      if (left == 0 && random.chance(runs)) {
        left = random.coin() ? 1 : random.between(2, 40);
        at = At.values()[random.between(1, At.values().length - 1)];
      }
      boolean bad = left > 0 || partition(key) == allBad;
      left = Math.max(0, left - 1);
      if (bad && (at == At.NOWHERE || random.chance(0.3))) {
        at = At.values()[random.between(1, At.values().length - 1)];
      }
      if (bad && at == At.KEY) {
        key = "bad" + key;
      }
      Event event = new Event(key, i, random.below(50), (bad ? at : At.NOWHERE).name(), time);
      Serdes.record(Event.class).write(event, out.clear());
      events.add(event);
      input.add(
          new InputRecord(
              new Split(prefix + "events", partition(key)),
              0,
              Bytes.ofUtf8(key),
              Bytes.of(out.toByteArray())));
    }
  }

  private int partition(String key) {
    return Partitioner.partition(Bytes.ofUtf8(key), partitions);
  }

  /// How many records are bad.
  long bad() {
    return events.stream().filter(Event::isBad).count();
  }

  @Override
  public StreamApplication application() {
    return new Application(prefix);
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    Map<String, Integer> topics = new TreeMap<>();
    for (String topic :
        List.of("events", "tallies", "parts", "counts", "copies", "answers", "remainders")) {
      topics.put(prefix + topic, partitions);
    }
    return topics;
  }

  @Override
  public List<InputRecord> input() {
    return input;
  }

  @Override
  public void requireExact(Written written) {
    Map<String, List<String>> tallies = new TreeMap<>();
    Map<String, List<String>> parts = new TreeMap<>();
    Map<String, List<String>> counts = new TreeMap<>();
    Map<String, List<String>> copies = new TreeMap<>();
    Map<String, List<String>> answers = new TreeMap<>();
    Map<String, List<String>> remainders = new TreeMap<>();
    Map<String, Long> sums = new TreeMap<>();
    for (Event event : events) {
      if (event.isPassedOver()) {
        continue;
      }
      long sum = sums.getOrDefault(event.key(), 0L) + event.value();
      sums.put(event.key(), sum);
      List<String> ofKey = tallies.computeIfAbsent(event.key(), _ -> new ArrayList<>());
      ofKey.add((ofKey.size() + 1) + ":" + sum);
      add(parts, event.key(), "a" + event.id(), "b" + event.id());
      add(counts, event.key(), "first of " + ofKey.size(), "second of " + ofKey.size());
      add(copies, event.key(), Long.toString(event.id()));
      if (event.place() != At.ANSWERED) {
        add(answers, event.key(), "answer to " + event.id());
      }
      if (event.place() != At.EXCHANGED) {
        String remainder = "r" + event.value() % 5;
        int before = remainders.getOrDefault(remainder, List.of()).size();
        add(remainders, remainder, Integer.toString(before + 1));
      }
    }
    require("tallies", tallies, written);
    require("parts", parts, written);
    require("counts", counts, written);
    require("copies", copies, written);
    require("answers", answers, written);
    require("remainders", remainders, written);
    if (settings.engine().errors().onError() == OnError.DEAD_LETTER) {
      requireLetters(written);
    }
  }

  /// What processes had counted that were killed is gone.
  @Override
  public void requireCounted(long passedOver) {
    if (passedOver > bad()) {
      throw new AssertionError(passedOver + " bad records were counted, of " + bad());
    }
  }

  private static void add(Map<String, List<String>> to, String key, String... values) {
    Collections.addAll(to.computeIfAbsent(key, _ -> new ArrayList<>()), values);
  }

  private void require(String topic, Map<String, List<String>> expected, Written written) {
    Map<String, List<String>> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      Bytes value = Objects.requireNonNull(record.value());
      String text =
          switch (topic) {
            case "copies" -> Long.toString(Serdes.record(Event.class).read(value).id());
            case "remainders" -> Serdes.longs().read(value).toString();
            default -> value.toUtf8();
          };
      add(found, Objects.requireNonNull(record.keyText()), text);
    }
    Scenario.requireEqual("topic '" + topic + "'", expected, found);
  }

  private void requireLetters(Written written) {
    List<String> expected = new ArrayList<>();
    for (Event event : events) {
      if (event.isBad()) {
        expected.add("%d %s".formatted(event.id(), CAUSE + event.place()));
      }
    }
    List<String> found = new ArrayList<>();
    for (ModelRecord letter : written.records(settings.engine().errors().deadLetterTopic())) {
      Event event = Serdes.record(Event.class).read(Objects.requireNonNull(letter.value()));
      found.add("%d %s".formatted(event.id(), header(letter, DeadLetter.CAUSE)));
    }
    expected.sort(null);
    found.sort(null);
    Scenario.requireEqual("the dead letters", expected, found);
  }

  private static String header(ModelRecord letter, String name) {
    return letter.headers().stream()
        .filter(header -> header.name().equals(name))
        .map(header -> Objects.requireNonNull(header.value()).toUtf8())
        .findFirst()
        .orElse("");
  }
}
