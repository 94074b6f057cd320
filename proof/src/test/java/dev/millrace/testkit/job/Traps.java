package dev.millrace.testkit.job;

import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.broadcast;
import static dev.millrace.api.With.stream;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Broadcast;
import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Applications, one for each place where user code runs: there a function throws at bad events, or
/// at results that a bad event is part of.
final class Traps {
  static final long BAD = 666;
  private static final String TICKS = "ticks";
  static final String CAUSE = "the trap snaps";
  private static final Duration SECONDS = Duration.ofSeconds(10);

  private Traps() {}

  record Event(String key, long id, long value, long at) {
    boolean isBad() {
      return value == BAD;
    }
  }

  /// What it is that fails.
  enum Fails {
    /// A record of the source.
    RECORD,
    /// A record behind an exchange.
    EXCHANGED,
    /// A record that waited for its tick.
    WAITING,
    /// Something without a record at hand.
    RESULT
  }

  /// Whether functions throw. If not, a result with something bad in it is BAD.
  record Trap(boolean armed) {
    Event check(Event event) {
      if (armed && event.isBad()) {
        throw new IllegalStateException(CAUSE);
      }
      return event;
    }

    boolean passes(Event event) {
      return check(event).id() >= 0;
    }

    String result(Object content) {
      String text = content.toString();
      if (!text.contains(Long.toString(BAD))) {
        return text;
      }
      if (armed) {
        throw new IllegalStateException(CAUSE);
      }
      return "BAD";
    }
  }

  /// Where a trap stands.
  ///
  /// @param table whether what counts in the output is the last value of each key
  record Place(String name, Fails fails, boolean table, Body body) {
    StreamApplication application(boolean armed) {
      return new Application(name, new Trap(armed), body);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  interface Body {
    void describe(Topology topology, KeyedStream<String, Event> events, Trap trap);
  }

  record Application(String name, Trap trap, Body body) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      if (name.equals(TICKS)) {
        topology.consistentEvery(Duration.ofSeconds(5));
      }
      body.describe(topology, topology.from(source(name, trap)), trap);
    }
  }

  static KafkaKeyedSource<String, Event> events() {
    return Kafka.source("events")
        .key(Serdes.string())
        .value(Serdes.record(Event.class))
        .eventTime(event -> Instant.ofEpochMilli(event.at()));
  }

  /// The source; a trap stands in it where the application is called after that.
  private static KafkaKeyedSource<String, Event> source(String name, Trap trap) {
    return switch (name) {
      case "source-serde" ->
          Kafka.source("events").key(Serdes.string()).value(new TrappedSerde(trap, true));
      case "event-time" ->
          events().eventTime(event -> Instant.ofEpochMilli(trap.check(event).at()));
      case "watermark" ->
          events().watermark((_, event, _) -> Instant.ofEpochMilli(trap.check(event).at()));
      default -> events();
    };
  }

  private static KafkaKeyedSink<String, String> out() {
    return Kafka.sink("out").key(Serdes.string()).value(Serdes.string());
  }

  /// Writes and reads events, unless the trap snaps.
  private record TrappedSerde(Trap trap, boolean reads) implements Serde<Event> {
    @Override
    public String id() {
      return "trapped";
    }

    @Override
    public void write(Event event, BytesWriter out) {
      Serdes.record(Event.class).write(reads ? event : trap.check(event), out);
    }

    @Override
    public Event read(Bytes in) {
      Event event = Serdes.record(Event.class).read(in);
      return reads ? trap.check(event) : event;
    }
  }

  static List<Place> all() {
    List<Place> places = new ArrayList<>();
    withoutState(places);
    withState(places);
    windows(places);
    joins(places);
    timers(places);
    calls(places);
    return places;
  }

  private static void record(List<Place> places, String name, Body body) {
    places.add(new Place(name, Fails.RECORD, false, body));
  }

  private static void exchanged(List<Place> places, String name, Body body) {
    places.add(new Place(name, Fails.EXCHANGED, false, body));
  }

  private static void table(List<Place> places, String name, Body body) {
    places.add(new Place(name, Fails.RECORD, true, body));
  }

  private static void result(List<Place> places, String name, Body body) {
    places.add(new Place(name, Fails.RESULT, false, body));
  }

  private static void withoutState(List<Place> places) {
    record(
        places,
        "map-values",
        (_, events, trap) ->
            events.mapValues(event -> trap.check(event).toString()).as(Serdes.string()).to(out()));
    for (String ofSource : List.of("source-serde", "event-time", "watermark")) {
      record(
          places,
          ofSource,
          (_, events, _) ->
              events.mapValues(event -> event.toString()).as(Serdes.string()).to(out()));
    }
    record(
        places,
        "filter",
        (_, events, trap) ->
            events
                .filter(event -> trap.passes(event))
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "flat-map",
        (_, events, trap) ->
            events
                .flatMap(event -> List.of("a" + trap.check(event), "b" + event))
                .as(Serdes.string())
                .to(Kafka.sink("out").value(Serdes.string())));
    record(
        places,
        "peek",
        (_, events, trap) ->
            events
                .peek(event -> trap.check(event))
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "branch",
        (_, events, trap) ->
            events
                .branch(event -> trap.passes(event))
                .matching()
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "sample",
        (_, events, trap) ->
            events
                .sample(1, event -> trap.check(event).id())
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "sink-serde",
        (_, events, trap) ->
            events
                .mapValues(event -> event)
                .as(new TrappedSerde(trap, false))
                .to(Kafka.sink("out").key(Serdes.string()).value(new TrappedSerde(trap, false))));
    record(
        places,
        "group-by",
        (_, events, trap) ->
            events
                .groupBy("by-id", event -> trap.check(event).id() % 4)
                .keyAs(Serdes.longs())
                .count("counts")
                .toStream()
                .mapValues(count -> "count " + count)
                .as(Serdes.string())
                .to(Kafka.sink("out").key(Serdes.longs()).value(Serdes.string())));
    exchanged(
        places,
        "behind-exchange",
        (_, events, trap) ->
            events
                .repartition("by-key")
                .mapValues(event -> trap.check(event).toString())
                .as(Serdes.string())
                .to(out()));
  }

  private static void withState(List<Place> places) {
    record(
        places,
        "aggregate",
        (_, events, trap) ->
            events
                .groupByKey()
                .aggregate("sums", () -> 0L, (sum, event) -> sum + trap.check(event).value())
                .as(Serdes.longs())
                .toStream()
                .mapValues(sum -> "sum " + sum)
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "reduce",
        (_, events, trap) ->
            events
                .groupByKey()
                .reduce("last", (a, b) -> trap.check(a).id() >= 0 ? trap.check(b) : b)
                .toStream()
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "deduplicate-by",
        (_, events, trap) ->
            events
                .groupByKey()
                .deduplicate("first", SECONDS, event -> trap.check(event).id() % 7)
                .mapValues(event -> event.toString())
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "behind-deduplicate",
        (_, events, trap) ->
            events
                .groupByKey()
                .deduplicate("first", Duration.ofMillis(1))
                .mapValues(event -> trap.result(event))
                .as(Serdes.string())
                .to(out()));
    table(
        places,
        "behind-table",
        (_, events, trap) ->
            events
                .groupByKey()
                .reduce("last", (_, b) -> b)
                .mapValues(event -> trap.check(event).toString())
                .as(Serdes.string())
                .to(out()));
    places.add(
        new Place(
            TICKS,
            Fails.WAITING,
            true,
            (_, events, trap) ->
                events
                    .groupByKey()
                    .aggregate("sums", () -> 0L, (sum, event) -> sum + trap.check(event).value())
                    .as(Serdes.longs())
                    .mapValues(sum -> "sum " + sum)
                    .as(Serdes.string())
                    .to(out())));
  }

  private static void windows(List<Place> places) {
    record(
        places,
        "window-folder",
        (_, events, trap) ->
            events
                .groupByKey()
                .window(Windows.tumbling(SECONDS))
                .aggregate("sums", () -> 0L, (sum, event) -> sum + trap.check(event).value())
                .as(Serdes.longs())
                .results(result -> result.toString())
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "window-size",
        (_, events, trap) ->
            events
                .groupByKey()
                .window(
                    Windows.<Event>sizedBy(
                        event -> trap.passes(event) ? SECONDS : Duration.ofSeconds(20)))
                .count("counts")
                .results(result -> result.toString())
                .as(Serdes.string())
                .to(out()));
    Windows[] shapes = {
      Windows.tumbling(SECONDS),
      Windows.hopping(SECONDS, Duration.ofSeconds(5)),
      Windows.sliding(SECONDS),
      Windows.sessions(Duration.ofSeconds(7)),
      Windows.ofRecords(7),
      Windows.all(),
      Windows.tumbling(SECONDS).allowedLateness(Duration.ZERO),
      Windows.hopping(SECONDS, Duration.ofSeconds(5)).onlyFinal(),
      Windows.sizedBy((Event event) -> event.id() % 2 == 0 ? SECONDS : SECONDS.dividedBy(2)),
    };
    for (int i = 0; i < shapes.length; i++) {
      Windows shape = shapes[i];
      // A window that its last record closes is a matter of that record.
      if (shape instanceof Windows.Counted) {
        continue;
      }
      String name = i + "-" + shape.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      result(
          places,
          "collect-" + name,
          (_, events, trap) ->
              events
                  .groupByKey()
                  .window(shape)
                  .apply("lists", (_, values) -> trap.result(values))
                  .as(Serdes.string())
                  .results(result -> result.toString())
                  .as(Serdes.string())
                  .to(out()));
      result(
          places,
          "results-" + name,
          (_, events, trap) ->
              events
                  .groupByKey()
                  .window(shape)
                  .aggregate("sums", strings())
                  .as(Serdes.string())
                  .results(result -> trap.result(result))
                  .as(Serdes.string())
                  .to(out()));
    }
    result(
        places,
        "top-k",
        (_, events, trap) ->
            events
                .groupByKey()
                .window(Windows.tumbling(SECONDS).allowedLateness(Duration.ZERO))
                .aggregate("largest", () -> 0L, (a, event) -> Math.max(a, event.value()))
                .as(Serdes.longs())
                .topK("top", 3, ranked -> trap.result(ranked))
                .as(Serdes.string())
                .to(Kafka.sink("out").value(Serdes.string())));
    result(
        places,
        "top-k-corrected",
        (_, events, trap) ->
            events
                .groupByKey()
                .window(Windows.tumbling(SECONDS))
                .aggregate("largest", () -> 0L, (a, event) -> Math.max(a, event.value()))
                .as(Serdes.longs())
                .topK("top", 3, ranked -> trap.result(ranked))
                .as(Serdes.string())
                .to(Kafka.sink("out").value(Serdes.string())));
    for (Duration lateness : List.of(Duration.ZERO, SECONDS)) {
      String name = lateness.isZero() ? "" : "-corrected";
      result(
          places,
          "groups-top-k" + name,
          (_, events, trap) ->
              largest(events, lateness)
                  .topK(
                      "top",
                      3,
                      result -> result.value() % 2 == 0 ? "k-even" : "k-odd",
                      ranked -> trap.result(ranked))
                  .as(Serdes.string())
                  .to(out()));
    }
  }

  private static WindowedTable<String, Long> largest(
      KeyedStream<String, Event> events, Duration lateness) {
    return events
        .groupByKey()
        .window(Windows.tumbling(SECONDS).allowedLateness(lateness))
        .aggregate("largest", () -> 0L, (a, event) -> Math.max(a, event.value()))
        .as(Serdes.longs());
  }

  /// The values, one behind the other.
  private static Aggregate<String, Event> strings() {
    return Aggregate.<String, Event>merging(
        () -> "", (text, event) -> text + "," + event.value(), (a, b) -> a + b);
  }

  private static void joins(List<Place> places) {
    record(
        places,
        "interval-join",
        (topology, events, trap) ->
            events
                .join(
                    "pairs",
                    stream(events, Within.of(Duration.ofSeconds(3))),
                    (a, b) -> trap.check(a).id() + "+" + trap.check(b).id())
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "without-partner",
        (_, events, trap) ->
            events
                .leftJoin(
                    "alone",
                    stream(
                        events.filter(event -> event.id() < 0), Within.of(Duration.ofSeconds(3))),
                    (a, b) -> trap.result(a + "-" + b))
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "as-of",
        (_, events, trap) ->
            events
                .leftJoin(
                    "then",
                    asOf(
                        events.filter(event -> event.id() % 5 == 0).groupByKey().latest("latest"),
                        Duration.ofSeconds(5)),
                    (a, b) -> trap.result(a.value() + "-" + (b == null ? "" : b.id())))
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "lookup",
        (_, events, trap) ->
            events
                .leftJoin(
                    "found",
                    With.table(
                        events.filter(event -> event.id() < 0).groupByKey().latest("latest")),
                    (a, b) -> trap.check(a) + "-" + b)
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "broadcast-key",
        (topology, events, trap) ->
            events
                .leftJoin(
                    "priced",
                    broadcast(rates(topology), event -> trap.check(event).key()),
                    (event, rate) -> event + "*" + rate)
                .as(Serdes.string())
                .to(out()));
    record(
        places,
        "broadcast-joiner",
        (topology, events, trap) ->
            events
                .leftJoin(
                    "priced",
                    broadcast(rates(topology), event -> event.key()),
                    (event, rate) -> trap.check(event) + "*" + rate)
                .as(Serdes.string())
                .to(out()));
    table(
        places,
        "foreign-key",
        (_, events, trap) ->
            events
                .groupByKey()
                .latest("one")
                .leftJoin(
                    "foreign",
                    events
                        .groupBy("by-id", event -> event.id() % 3)
                        .keyAs(Serdes.longs())
                        .count("two"),
                    event -> trap.check(event).id() % 3,
                    (event, count) -> event.id() + " of some")
                .as(Serdes.string())
                .to(out()));
    table(
        places,
        "table-join",
        (_, events, trap) ->
            events
                .groupByKey()
                .latest("one")
                .leftJoin(
                    "both",
                    events.groupByKey().count("two"),
                    (a, b) -> trap.check(a).id() + "/" + b)
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "co-group",
        (_, events, trap) -> {
          var odd = events.filter(event -> event.id() % 2 == 1);
          events
              .coGroup(odd)
              .apply(
                  "groups",
                  Windows.tumbling(SECONDS),
                  (_, sides) -> trap.result(sides.of(events) + "/" + sides.of(odd)))
              .as(Serdes.string())
              .results(result -> result.toString())
              .as(Serdes.string())
              .to(out());
        });
  }

  private static Broadcast<String, Double> rates(Topology topology) {
    return topology.broadcastTable(
        "rates", Kafka.source("rates").key(Serdes.string()).value(Serdes.doubles()));
  }

  private static void timers(List<Place> places) {
    record(
        places,
        "process",
        (_, events, trap) ->
            events
                .process("echo", () -> new Echo(trap))
                .mapValues(text -> text)
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "timer",
        (_, events, trap) ->
            events
                .process(
                    "later",
                    () -> new Later(trap),
                    StoreSpec.keyValue("texts", Serdes.string(), Serdes.string()))
                .mapValues(text -> text)
                .as(Serdes.string())
                .to(out()));
  }

  private static void calls(List<Place> places) {
    Call<Event, String> failing =
        Call.<Event, String>blocking(
                event -> {
                  if (event.isBad()) {
                    throw new IllegalStateException(CAUSE);
                  }
                  return event.toString();
                })
            .retries(1, Duration.ofMillis(1));
    result(
        places,
        "call",
        (_, events, trap) ->
            events
                .call("ask", trap.armed() ? failing : failing.otherwise((_, _) -> "BAD"))
                .as(Serdes.string())
                .to(out()));
    Call<Event, String> together =
        Call.<Event, String>batched(
                8,
                all -> {
                  if (all.stream().anyMatch(Event::isBad)) {
                    throw new IllegalStateException(CAUSE);
                  }
                  return all.stream().map(Event::toString).toList();
                })
            .inFlight(1)
            .retries(1, Duration.ofMillis(1));
    result(
        places,
        "call-in-batches",
        (_, events, trap) ->
            events
                .call("ask", trap.armed() ? together : together.otherwise((_, _) -> "BAD"))
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "call-otherwise",
        (_, events, trap) ->
            events
                .call("ask", failing.otherwise((event, _) -> trap.result(event)))
                .as(Serdes.string())
                .to(out()));
    result(
        places,
        "behind-call",
        (_, events, trap) ->
            events
                .call(
                    "ask",
                    Call.<Event, String>future(
                        event -> CompletableFuture.completedFuture(event.toString())))
                .as(Serdes.string())
                .mapValues(text -> trap.result(text))
                .as(Serdes.string())
                .to(out()));
  }

  /// Says what it gets.
  private record Echo(Trap trap) implements Processor<String, Event, String> {
    @Override
    public void process(Records<String, Event> records, Output<String> out) {
      while (records.next()) {
        out.emit("before " + records.value().id());
        out.emit("echo " + trap.check(records.value()));
      }
    }
  }

  /// Says what it got, ten seconds later, and changes its store then.
  private static final class Later implements Processor<String, Event, String> {
    private final Trap trap;
    private @Nullable ProcessorContext<String> context;
    private @Nullable KeyValueStore<String, String> texts;

    Later(Trap trap) {
      this.trap = trap;
    }

    @Override
    public void open(ProcessorContext<String> opened) {
      context = opened;
      texts = opened.store(StoreSpec.keyValue("texts", Serdes.string(), Serdes.string()));
    }

    @Override
    public void process(Records<String, Event> records, Output<String> out) {
      while (records.next()) {
        Event event = records.value();
        texts.put(records.key() + "@" + (event.at() + 10_000), event.toString());
        context.setTimer(records.key(), event.at() + 10_000);
      }
    }

    @Override
    public void onTimer(String key, long timestamp, Output<String> out) {
      String text = texts.get(key + "@" + timestamp);
      texts.delete(key + "@" + timestamp);
      if (trap.armed() || !text.contains(Long.toString(BAD))) {
        out.emit("first " + timestamp);
      }
      out.emit(trap.result(text));
    }
  }
}
