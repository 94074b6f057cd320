package dev.millrace.testkit.job;

import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.remote;
import static dev.millrace.api.With.stream;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Branches;
import dev.millrace.api.Broadcast;
import dev.millrace.api.Call;
import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.Share;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A small application for each operator, with any types of keys and values: what is true of all
/// operators is tested on all of them. [OperatorsOfTheApi] sees to it that none is missing.
///
/// @param keys read from topics and written to them
/// @param values read from topics and written to them
/// @param reads what becomes of a value of the input that has keys, before anything else; null if
///   nothing does
/// @param times of values that are read; null if they are those of their records
/// @param zone in which days begin
/// @param larger by how much the times and numbers that operators are given are larger
record EachOperator<K extends Comparable<K>, V extends Comparable<V>>(
    Form<K> keys,
    Form<V> values,
    @Nullable Mapper<V, V> reads,
    @Nullable EventTime<V> times,
    ZoneId zone,
    int larger) {
  static final String IN = "in";
  static final String OTHER = "other";
  static final String TABLE = "table";
  static final String OUT = "out";
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration DISORDER = ofSeconds(1);

  EachOperator(Form<K> keys, Form<V> values) {
    this(keys, values, null);
  }

  EachOperator(Form<K> keys, Form<V> values, @Nullable Mapper<V, V> reads) {
    this(keys, values, reads, null, ZoneOffset.UTC, 1);
  }

  /// The same with values that say when they happened. What a topic does not take as a time is
  /// written with the nearest it takes.
  EachOperator<K, V> withTimes(EventTime<V> newTimes, ZoneId newZone) {
    return new EachOperator<>(keys, values, reads, newTimes, newZone, larger);
  }

  /// The same with every parameter of an operator that is a time or a number twice as large, or
  /// another time zone.
  EachOperator<K, V> withOtherParameters() {
    return new EachOperator<>(keys, values, reads, times, ZoneId.of("Asia/Kolkata"), 2);
  }

  private Duration seconds(int seconds) {
    return ofSeconds(seconds).multipliedBy(larger);
  }

  /// How keys or values look.
  ///
  /// @param of makes one of a text
  /// @param text says which text it was
  /// @param own makes one that may be put into an object that is kept
  record Form<T>(Serde<T> serde, Mapper<String, T> of, Mapper<T, String> text, Mapper<T, T> own) {
    T joined(T a, T b) {
      return of.map(text.map(a) + "+" + text.map(b));
    }
  }

  /// The sources and sinks of one application.
  private final class Described {
    private final Topology topology;

    Described(Topology topology) {
      this.topology = topology;
    }

    KeyedStream<K, V> in() {
      KeyedStream<K, V> in = topology.from(topic(IN));
      return reads == null ? in : in.mapValues(reads).as(values.serde);
    }

    KeyedStream<K, V> other() {
      return topology.from(topic(OTHER));
    }

    Stream<V> unkeyed() {
      KafkaSource<V> in = Kafka.source(IN).value(values.serde);
      return topology.from(times == null ? in : in.eventTime(times, DISORDER));
    }

    Table<K, V> table() {
      return topology.table("entries", topic(TABLE));
    }

    Broadcast<K, V> broadcast() {
      return topology.broadcastTable("known", topic(TABLE));
    }

    void out(KeyedStream<K, V> stream) {
      stream.to(sink(values.serde));
    }

    void out(Table<K, V> table) {
      table.toStream().to(sink(values.serde));
    }

    void out(WindowedTable<K, V> table) {
      out(table.results(result -> result.value()).as(values.serde));
    }

    void out(Stream<V> stream) {
      stream.to(unkeyedSink(values.serde));
    }

    /// Texts that are no views any more.
    void texts(Stream<String> stream) {
      stream.to(unkeyedSink(Serdes.string()));
    }

    void texts(KeyedStream<K, String> stream) {
      stream.to(sink(Serdes.string()));
    }
  }

  KafkaKeyedSource<K, V> topic(String name) {
    KafkaKeyedSource<K, V> topic = Kafka.source(name).key(keys.serde).value(values.serde);
    return times == null ? topic : topic.eventTime(times, DISORDER);
  }

  private KafkaKeyedSink<K, V> plainSink(String name) {
    return Kafka.sink(name).key(keys.serde).value(values.serde);
  }

  private <T> KafkaKeyedSink<K, T> sink(Serde<T> serde) {
    KafkaKeyedSink<K, T> sink = Kafka.sink(OUT).key(keys.serde).value(serde);
    return times == null ? sink : sink.timestamps(Timestamps.CLAMPED);
  }

  private <T> KafkaSink<T> unkeyedSink(Serde<T> serde) {
    KafkaSink<T> sink = Kafka.sink(OUT).value(serde);
    return times == null ? sink : sink.timestamps(Timestamps.CLAMPED);
  }

  /// All of them, by what they show.
  Map<String, Consumer<Topology>> all() {
    Map<String, Consumer<Described>> flows = new LinkedHashMap<>();
    addStateless(flows);
    addAggregates(flows);
    addWindows(flows);
    addTables(flows);
    addJoins(flows);
    addOthers(flows);
    Map<String, Consumer<Topology>> all = new LinkedHashMap<>();
    flows.forEach((name, flow) -> all.put(name, topology -> flow.accept(new Described(topology))));
    return all;
  }

  StreamApplication application(String name) {
    Consumer<Topology> flow = all().get(name);
    return new StreamApplication() {
      @Override
      public String name() {
        return "each-operator";
      }

      @Override
      public void describe(Topology topology) {
        flow.accept(topology);
      }
    };
  }

  private boolean isLong(V value) {
    return values.text.map(value).length() > 2;
  }

  private List<V> twice(V value) {
    return List.of(value, value);
  }

  /// One of three keys for each value.
  private K keyOf(V value) {
    String text = values.text.map(value);
    return keys.of.map("k" + text.charAt(text.length() - 1) % 3);
  }

  private V larger(V a, V b) {
    return text(a).compareTo(text(b)) > 0 ? a : b;
  }

  private String text(V value) {
    return values.text.map(value);
  }

  /// The texts of all that was collected, read after all of it was.
  private V together(List<V> collected) {
    return values.of.map(String.join(",", collected.stream().map(this::text).toList()));
  }

  private Serde<List<V>> lists() {
    return Serdes.listOf(values.serde);
  }

  private List<V> with(List<V> list, V value) {
    List<V> longer = new ArrayList<>(list);
    longer.add(values.own.map(value));
    return longer;
  }

  private void addStateless(Map<String, Consumer<Described>> flows) {
    flows.put("to", each -> each.out(each.in()));
    flows.put(
        "to, with deletions",
        each -> each.in().mapValues(Optional::of).to(plainSink(OUT).withDeletions()));
    flows.put(
        "from, with deletions",
        each ->
            each.out(
                each.topology
                    .from(topic(IN).withDeletions())
                    .filter(Optional::isPresent)
                    .mapValues(Optional::get)
                    .as(values.serde)));
    flows.put(
        "from, with deletions, without keys",
        each ->
            each.out(
                each.topology
                    .from(Kafka.source(IN).value(values.serde).withDeletions())
                    .filter(Optional::isPresent)
                    .map(Optional::get)
                    .as(values.serde)));
    flows.put(
        "to, routed",
        each ->
            each.in()
                .to(
                    value -> isLong(value) ? OUT : "short",
                    List.of(plainSink(OUT), plainSink("short"))));
    flows.put(
        "to, routed, without keys",
        each ->
            each.unkeyed()
                .to(
                    value -> isLong(value) ? OUT : "short",
                    List.of(
                        Kafka.sink(OUT).value(values.serde),
                        Kafka.sink("short").value(values.serde))));
    flows.put(
        "from, several topics",
        each -> {
          var topics = Kafka.sources(IN, OTHER).key(keys.serde).value(values.serde);
          var from = each.topology.from(times == null ? topics : topics.eventTime(times, DISORDER));
          each.out(reads == null ? from : from.mapValues(reads).as(values.serde));
        });
    flows.put(
        "to, of a pattern",
        each ->
            each.in()
                .to(
                    value -> isLong(value) ? OUT : "short",
                    Kafka.sinks(Pattern.compile(OUT + "|short"))
                        .partitions(1)
                        .key(keys.serde)
                        .value(values.serde)));
    flows.put("to, without keys", each -> each.out(each.unkeyed()));
    flows.put("filter", each -> each.out(each.in().filter(this::isLong)));
    flows.put("filter, without keys", each -> each.out(each.unkeyed().filter(this::isLong)));
    flows.put("map", each -> each.out(each.in().map(value -> value).as(values.serde)));
    flows.put("map, without keys", each -> each.out(each.unkeyed().map(v -> v).as(values.serde)));
    flows.put("mapValues", each -> each.out(each.in().mapValues(value -> value).as(values.serde)));
    flows.put("flatMap", each -> each.out(each.in().flatMap(this::twice).as(values.serde)));
    flows.put(
        "flatMap, without keys",
        each -> each.out(each.unkeyed().flatMap(this::twice).as(values.serde)));
    flows.put(
        "flatMapValues", each -> each.out(each.in().flatMapValues(this::twice).as(values.serde)));
    flows.put("peek", each -> each.out(each.in().peek(value -> text(value))));
    flows.put("peek, without keys", each -> each.out(each.unkeyed().peek(value -> text(value))));
    flows.put(
        "branch",
        each -> {
          Branches<KeyedStream<K, V>> parts = each.in().branch(this::isLong);
          each.out(parts.matching().mapValues(v -> values.joined(v, v)).as(values.serde));
          each.out(parts.rest());
        });
    flows.put(
        "branch, without keys",
        each -> {
          Branches<Stream<V>> parts = each.unkeyed().branch(this::isLong);
          each.out(parts.matching().map(v -> values.joined(v, v)).as(values.serde));
          each.out(parts.rest());
        });
    flows.put("branch by a share", each -> each.out(each.in().branch(Share.of(0.5)).matching()));
    flows.put("sample", each -> each.out(each.in().sample(0.5)));
    flows.put(
        "sample by an attribute",
        each -> each.out(each.in().sample(0.5, value -> values.text.map(value))));
    flows.put(
        "sample, without keys",
        each -> each.out(each.unkeyed().sample(0.5, value -> values.text.map(value))));
    flows.put(
        "merge", each -> each.out(each.in().merge(each.other().filter(value -> !isLong(value)))));
    flows.put(
        "merge, without keys",
        each -> {
          Stream<V> in = each.unkeyed();
          each.out(in.filter(this::isLong).merge(in));
        });
    flows.put("withoutRetractions", each -> each.out(each.in().withoutRetractions()));
    flows.put(
        "withoutRetractions, without keys", each -> each.out(each.unkeyed().withoutRetractions()));
    flows.put(
        "records",
        each ->
            each.texts(
                each.in()
                    .records()
                    .map(record -> keys.text.map(record.key()) + text(record.value()))));
    flows.put(
        "records, their values",
        each -> each.out(each.in().records().map(record -> record.value()).as(values.serde)));
    flows.put(
        "records, under their keys",
        each ->
            each.out(
                each.in()
                    .records()
                    .filter(record -> record.timestamp() != Long.MIN_VALUE)
                    .mapValues(record -> record.value())
                    .as(values.serde)));
    flows.put(
        "records, folded",
        each ->
            each.texts(
                each.in()
                    .records()
                    .groupByKey()
                    .aggregate("all", () -> "", (all, record) -> all + text(record.value()))
                    .toStream()
                    .mapValues(all -> all)));
    flows.put(
        "to, with headers",
        each ->
            each.in()
                .to(
                    sink(values.serde)
                        .headers((record, to) -> to.add(text(record.value()), null))));
    flows.put("to, with keys of values", each -> each.in().to(sink(values.serde).key(this::keyOf)));
    flows.put(
        "to, with keys of values, without keys",
        each -> each.unkeyed().to(sink(values.serde).key(this::keyOf)));
    flows.put(
        "records, their keys, without keys",
        each ->
            each.texts(
                each
                    .unkeyed()
                    .records()
                    .map(record -> record.key())
                    .groupBy("again", key -> key.toUtf8())
                    .stream()
                    .mapValues(key -> key.toUtf8())
                    .map(text -> text)));
    flows.put("repartition", each -> each.out(each.in().repartition("again")));
    flows.put(
        "groupBy, stream",
        each -> each.out(each.in().groupBy("by-value", this::keyOf).keyAs(keys.serde).stream()));
    flows.put(
        "groupBy, without keys",
        each ->
            each.out(each.unkeyed().groupBy("by-value", this::keyOf).keyAs(keys.serde).stream()));
  }

  private void addAggregates(Map<String, Consumer<Described>> flows) {
    each(flows, "", each -> each.in().groupByKey());
    each(flows, "after groupBy: ", each -> each.in().groupBy("by", this::keyOf).keyAs(keys.serde));
  }

  private void each(Map<String, Consumer<Described>> flows, String where, Grouping<K, V> grouping) {
    flows.put(
        where + "count",
        each -> each.texts(grouping.of(each).count("n").toStream().mapValues(n -> "" + n)));
    flows.put(
        where + "reduce to the last",
        each -> each.out(grouping.of(each).reduce("last", (_, value) -> value)));
    flows.put(
        where + "reduce",
        each -> each.out(grouping.of(each).reduce("all", (a, b) -> values.joined(a, b))));
    flows.put(where + "latest", each -> each.out(grouping.of(each).latest("latest")));
    flows.put(
        where + "aggregate in lists",
        each ->
            each.out(
                grouping
                    .of(each)
                    .aggregate("lists", List::<V>of, this::with)
                    .as(lists())
                    .mapValues(this::together)
                    .as(values.serde)));
    flows.put(
        where + "aggregate that merges",
        each ->
            each.out(
                grouping
                    .of(each)
                    .aggregate(
                        "largest",
                        Aggregate.merging(() -> values.of.map(""), this::larger, this::larger))
                    .as(values.serde)));
    flows.put(
        where + "deduplicate", each -> each.out(grouping.of(each).deduplicate("once", seconds(4))));
    flows.put(
        where + "deduplicate by an attribute",
        each ->
            each.out(
                grouping
                    .of(each)
                    .deduplicate("once", seconds(4), value -> values.text.map(value))));
    flows.put(
        where + "process",
        each ->
            each.out(
                grouping.of(each).stream()
                    .process("kept", Kept.supplier(this), Kept.store(keys, values))));
  }

  /// Groups the input.
  @FunctionalInterface
  private interface Grouping<K extends Comparable<K>, V extends Comparable<V>> {
    Grouped<K, V> of(EachOperator<K, V>.Described described);
  }

  private void addWindows(Map<String, Consumer<Described>> flows) {
    Map<String, Windows> all = new LinkedHashMap<>();
    Duration size = seconds(5);
    all.put("tumbling", Windows.tumbling(size));
    all.put("tumbling, no lateness", Windows.tumbling(size).allowedLateness(ofSeconds(larger - 1)));
    all.put("tumbling, final", Windows.tumbling(size).onlyFinal());
    all.put("tumbling, early", Windows.tumbling(size).early(larger));
    all.put("hopping", Windows.hopping(size, seconds(2)));
    all.put("sliding", Windows.sliding(size));
    all.put("sessions", Windows.sessions(seconds(2)));
    all.put("days", Windows.days(zone));
    all.put("records", Windows.ofRecords(3 * larger));
    all.put("all", Windows.all());
    all.put(
        "sized", Windows.sizedBy((Mapper<V, Duration>) value -> ofSeconds(isLong(value) ? 3 : 5)));
    all.forEach((name, windows) -> {
      flows.put(
          name + ": count",
          each ->
              each.texts(
                  each.in()
                      .groupByKey()
                      .window(windows)
                      .count("n")
                      .results(result -> keys.text.map(result.key()) + result.value())));
      flows.put(
          name + ": reduce to the last",
          each ->
              each.out(each.in().groupByKey().window(windows).reduce("last", (_, value) -> value)));
      flows.put(
          name + ": aggregate in lists",
          each ->
              each.out(
                  each.in()
                      .groupByKey()
                      .window(windows)
                      .aggregate("lists", List::<V>of, this::with)
                      .as(lists())
                      .results(result -> together(result.value()))
                      .as(values.serde)));
      flows.put(
          name + ": apply",
          each ->
              each.out(
                  each.in()
                      .groupByKey()
                      .window(windows)
                      .apply("values", (_, collected) -> together(collected))
                      .as(values.serde)));
      flows.put(
          name + ": apply, one of them",
          each ->
              each.out(
                  each.in()
                      .groupByKey()
                      .window(windows)
                      .apply("values", (_, collected) -> collected.getFirst())
                      .as(values.serde)));
    });
    addBehindWindows(flows);
  }

  private void addBehindWindows(Map<String, Consumer<Described>> flows) {
    Windows tumbling = Windows.tumbling(seconds(5));
    flows.put(
        "topK",
        each ->
            each.in()
                .groupByKey()
                .window(tumbling)
                .reduce("last", (_, value) -> value)
                .topK(
                    "top", 2 * larger, ranked -> keys.text.map(ranked.key()) + text(ranked.value()))
                .as(Serdes.string())
                .to(unkeyedSink(Serdes.string()).withRetractions()));
    flows.put(
        "topK without lateness",
        each ->
            each.out(
                each.in()
                    .groupByKey()
                    .window(tumbling.allowedLateness(ofSeconds(larger - 1)))
                    .reduce("last", (_, value) -> value)
                    .topK("top", 2 * larger, ranked -> ranked.value())
                    .as(values.serde)));
    flows.put(
        "topK of groups",
        each ->
            each.out(
                each
                    .in()
                    .groupByKey()
                    .window(tumbling)
                    .reduce("last", (_, value) -> value)
                    .topK(
                        "top",
                        larger,
                        result -> keys.text.map(keyOf(result.value())),
                        ranked -> ranked.value())
                    .as(values.serde)
                    .groupBy("back", value -> keyOf(value))
                    .keyAs(keys.serde)
                    .stream()));
    flows.put(
        "windows of corrected results",
        each ->
            each.out(
                each.in()
                    .groupByKey()
                    .window(tumbling)
                    .reduce("last", (_, value) -> value)
                    .results(result -> result.value())
                    .as(values.serde)
                    .groupByKey()
                    .window(Windows.tumbling(seconds(60)))
                    .apply("values", (_, collected) -> together(collected))
                    .as(values.serde)));
    addWindowedTables(flows, tumbling);
    flows.put(
        "tooLate",
        each ->
            each.out(
                each.in()
                    .groupByKey()
                    .window(tumbling.allowedLateness(ofSeconds(larger - 1)))
                    .tooLate(late -> each.out(late))
                    .reduce("last", (_, value) -> value)));
  }

  private void addWindowedTables(Map<String, Consumer<Described>> flows, Windows windows) {
    Function<KeyedStream<K, V>, Windowed<K, V>> windowed =
        stream -> stream.groupByKey().window(windows);
    flows.put(
        "windowed table, filter",
        each ->
            each.out(windowed.apply(each.in()).reduce("last", this::last).filter(this::isLong)));
    flows.put(
        "windowed table, mapValues",
        each ->
            each.out(
                windowed
                    .apply(each.in())
                    .reduce("last", this::last)
                    .mapValues(value -> value)
                    .as(values.serde)));
    flows.put(
        "join of windowed tables",
        each ->
            each.out(
                windowed
                    .apply(each.in())
                    .reduce("one", this::last)
                    .join(
                        "j", windowed.apply(each.other()).reduce("two", this::last), values::joined)
                    .as(values.serde)));
    flows.put(
        "leftJoin of windowed tables",
        each ->
            each.out(
                windowed
                    .apply(each.in())
                    .reduce("one", this::last)
                    .leftJoin(
                        "j",
                        windowed.apply(each.other()).reduce("two", this::last),
                        (a, b) -> either(b, a))
                    .as(values.serde)));
    flows.put(
        "outerJoin of windowed tables",
        each ->
            each.out(
                windowed
                    .apply(each.in())
                    .reduce("one", this::last)
                    .outerJoin(
                        "j",
                        windowed.apply(each.other()).reduce("two", this::last),
                        (a, b) -> either(b, a))
                    .as(values.serde)));
  }

  private V last(V earlier, V later) {
    return later;
  }

  private void addTables(Map<String, Consumer<Described>> flows) {
    flows.put(
        "serde",
        each -> {
          each.topology.serde(String.class, Serdes.string());
          each.out(each.in().sample(0.9, value -> values.text.map(value)));
        });
    flows.put(
        "renamed",
        each -> {
          each.topology.renamed("once", "now");
          each.out(each.in().groupByKey().reduce("now", this::last));
        });
    flows.put("table", each -> each.table().to(sink(values.serde)));
    flows.put("table, filter", each -> each.out(each.table().filter(this::isLong)));
    flows.put(
        "table, mapValues",
        each -> each.out(each.table().mapValues(value -> value).as(values.serde)));
    flows.put("table, toChangelogStream", each -> each.out(each.table().toChangelogStream()));
    flows.put("table, conflated", each -> each.out(each.table().conflated()));
    flows.put(
        "table of a stream, conflated",
        each -> each.out(each.in().groupByKey().latest("latest").conflated()));
    flows.put(
        "table of a stream, at ticks",
        each -> {
          each.topology.consistentEvery(seconds(3));
          each.out(each.in().groupByKey().latest("latest"));
        });
    flows.put(
        "table, groupBy, reduce",
        each ->
            each.out(
                each.table()
                    .groupBy("by-value", this::keyOf)
                    .keyAs(keys.serde)
                    .reduce("largest", this::larger)));
    flows.put(
        "table, groupBy, count",
        each ->
            each.texts(
                each.table()
                    .groupBy("by-value", this::keyOf)
                    .keyAs(keys.serde)
                    .count("n")
                    .toStream()
                    .mapValues(n -> "" + n)));
    flows.put(
        "table of a stream, groupBy, aggregate",
        each ->
            each.out(
                each.in()
                    .groupByKey()
                    .latest("latest")
                    .groupBy("by-value", this::keyOf)
                    .keyAs(keys.serde)
                    .aggregate("lists", List::<V>of, this::with)
                    .as(lists())
                    .mapValues(this::together)
                    .as(values.serde)));
  }

  private void addJoins(Map<String, Consumer<Described>> flows) {
    Serde<V> serde = values.serde;
    Map<String, Within> all = new LinkedHashMap<>();
    all.put("within a time", Within.of(seconds(3)));
    all.put("within a window", Within.window(Windows.tumbling(seconds(5))));
    all.put("within a session", Within.window(Windows.sessions(seconds(2))));
    all.forEach((name, within) -> {
      flows.put(
          "join " + name,
          each ->
              each.out(
                  each.in().join("j", stream(each.other(), within), values::joined).as(serde)));
      flows.put(
          "leftJoin " + name,
          each ->
              each.out(
                  each.in()
                      .leftJoin("j", stream(each.other(), within), (a, b) -> either(a, b))
                      .as(serde)));
      flows.put(
          "outerJoin " + name,
          each ->
              each.out(
                  each.in()
                      .outerJoin("j", stream(each.other(), within), (a, b) -> either(a, b))
                      .as(serde)));
    });
    flows.put(
        "coGroup",
        each -> {
          KeyedStream<K, V> in = each.in();
          KeyedStream<K, V> other = each.other();
          each.out(
              in.coGroup(other)
                  .and(in.filter(this::isLong))
                  .apply(
                      "sides",
                      Windows.tumbling(seconds(5)),
                      (_, sides) ->
                          values.of.map(
                              text(together(sides.of(in))) + "/" + text(together(sides.of(other)))))
                  .as(serde));
        });
    flows.put(
        "join with a table",
        each -> each.out(each.in().join("j", With.table(each.table()), values::joined).as(serde)));
    flows.put(
        "leftJoin with a table",
        each ->
            each.out(
                each.in()
                    .leftJoin("j", With.table(each.table()), (a, b) -> either(b, a))
                    .as(serde)));
    flows.put(
        "joinAsOf",
        each ->
            each.out(
                each.in()
                    .join("j", asOf(each.table(), seconds(60)), (_, value) -> value)
                    .as(serde)));
    flows.put(
        "leftJoinAsOf",
        each ->
            each.out(
                each.in()
                    .leftJoin("j", asOf(each.table(), seconds(60)), (a, b) -> either(b, a))
                    .as(serde)));
    flows.put(
        "join with a broadcast table",
        each ->
            each.out(
                each.in()
                    .join("j", With.broadcast(each.broadcast(), v -> keyOf(v)), (_, known) -> known)
                    .as(serde)));
    flows.put(
        "leftJoin with a broadcast table",
        each ->
            each.out(
                each.in()
                    .leftJoin(
                        "j",
                        With.broadcast(each.broadcast(), v -> keyOf(v)),
                        (a, b) -> either(b, a))
                    .as(serde)));
    flows.put(
        "join with a broadcast table, without keys",
        each ->
            each.out(
                each.unkeyed()
                    .join("j", With.broadcast(each.broadcast(), v -> keyOf(v)), values::joined)
                    .as(serde)));
    flows.put(
        "leftJoin with a broadcast table, without keys",
        each ->
            each.out(
                each.unkeyed()
                    .leftJoin(
                        "j",
                        With.broadcast(each.broadcast(), v -> keyOf(v)),
                        (a, b) -> either(b, a))
                    .as(serde)));
    flows.put(
        "join of tables",
        each -> each.out(latest(each).join("j", each.table(), values::joined).as(serde)));
    flows.put(
        "leftJoin of tables",
        each ->
            each.out(latest(each).leftJoin("j", each.table(), (a, b) -> either(b, a)).as(serde)));
    flows.put(
        "outerJoin of tables",
        each ->
            each.out(latest(each).outerJoin("j", each.table(), (a, b) -> either(b, a)).as(serde)));
    flows.put(
        "join by a foreign key",
        each ->
            each.out(
                latest(each).join("j", each.table(), v -> keyOf(v), values::joined).as(serde)));
    flows.put(
        "leftJoin by a foreign key",
        each ->
            each.out(
                latest(each)
                    .leftJoin("j", each.table(), v -> keyOf(v), (a, b) -> either(b, a))
                    .as(serde)));
  }

  private Table<K, V> latest(Described each) {
    return each.in().groupByKey().latest("latest");
  }

  private static <T> T either(T first, T second) {
    return first == null ? second : first;
  }

  private void addOthers(Map<String, Consumer<Described>> flows) {
    Map<String, Call<V, V>> calls = new LinkedHashMap<>();
    calls.put("call", Call.blocking(value -> value));
    calls.put("call in batches", Call.batched(4, all -> List.copyOf(all)));
    calls.put("call, unordered", Call.<V, V>blocking(value -> value).unordered());
    calls.put("call with a cache", Call.<V, V>blocking(value -> value).cache(3, seconds(60)));
    calls.forEach((name, call) -> {
      flows.put(name, each -> each.out(each.in().call("ask", call).as(values.serde)));
      flows.put(
          name + ", without keys",
          each -> each.out(each.unkeyed().call("ask", call).as(values.serde)));
    });
    RemoteTable<K, V> remote =
        RemoteTable.read("remote", Call.blocking(key -> values.of.map("of " + keys.text.map(key))));
    Serde<V> serde = values.serde;
    flows.put(
        "join with a remote table",
        each -> each.out(each.in().join("j", remote(remote), values::joined).as(serde)));
    flows.put(
        "leftJoin with a remote table",
        each -> each.out(each.in().leftJoin("j", remote(remote), values::joined).as(serde)));
    flows.put(
        "join with a remote table by an attribute",
        each ->
            each.out(each.in().join("j", remote(remote, v -> keyOf(v)), values::joined).as(serde)));
    flows.put(
        "join with a remote table, without keys",
        each ->
            each.out(
                each.unkeyed().join("j", remote(remote, v -> keyOf(v)), values::joined).as(serde)));
    flows.put(
        "leftJoin with a remote table, without keys",
        each ->
            each.out(
                each.unkeyed()
                    .leftJoin("j", remote(remote, v -> keyOf(v)), values::joined)
                    .as(serde)));
    flows.put("put", each -> each.out(each.in().groupByKey().stream().put("w", written())));
    flows.put("put, of a stream", each -> each.out(each.in().put("w", written())));
    flows.put(
        "process, a stream",
        each -> each.out(each.in().process("kept", Kept.supplier(this), Kept.store(keys, values))));
    flows.put(
        "process, without keys",
        each ->
            each.out(
                each.unkeyed().process("last", Kept.withoutKeys(this), Kept.unkeyedStore(values))));
    flows.put(
        "process with timers",
        each ->
            each.out(
                each.in().groupByKey().stream()
                    .process("timed", Kept.timed(this), Kept.store(keys, values))));
  }

  private RemoteTable<K, V> written() {
    return RemoteTable.written(
        "written", Call.blocking(write -> keys.text.map(write.key()) + text(write.value())));
  }
}
