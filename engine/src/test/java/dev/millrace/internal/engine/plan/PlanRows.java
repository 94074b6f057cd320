package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.stream;
import static dev.millrace.api.With.table;

import dev.millrace.api.Call;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Programs and the same with one thing changed.
final class PlanRows {
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration SECOND = Duration.ofSeconds(1);
  static final KafkaSource<String> IN = Kafka.source("in").value(Serdes.string());
  static final KafkaSink<String> OUT = Kafka.sink("out").value(Serdes.string());
  static final KafkaKeyedSource<String, String> KEYED = keyed("keyed", Serdes.string());
  static final KafkaKeyedSource<String, String> OTHER = keyed("other", Serdes.string());

  static final Serde<String> RESHAPED =
      new FingerprintTest.Reshaped(Serdes.string(), "another schema");

  private PlanRows() {}

  /// @param covers what is changed
  /// @param before the program
  /// @param after the program with that changed
  /// @param told what is said of the difference
  record Row(String covers, StreamApplication before, StreamApplication after, List<String> told) {
    Plan was() {
      return plan(before);
    }

    Plan is() {
      return plan(after);
    }
  }

  static Plan plan(StreamApplication application) {
    return Planner.plan(
        "app", TopologyGraph.of(application), Map.of("in", 2, "keyed", 2, "other", 2, "more", 2));
  }

  static Row row(String covers, StreamApplication was, StreamApplication is, String... told) {
    return new Row(covers, was, is, Arrays.asList(told));
  }

  static KafkaKeyedSource<String, String> keyed(String topic, Serde<String> values) {
    return Kafka.source(topic).key(Serdes.string()).value(values);
  }

  static Windowed<String, String> in(Topology t, Windows windows) {
    return t.from(IN).groupBy("g", v -> v).window(windows);
  }

  static StreamApplication counted(Windows windows) {
    return t -> in(t, windows).count("c").results(r -> "").to(sink());
  }

  static StreamApplication collected(Windows windows) {
    return t -> in(t, windows).apply("c", (w, all) -> "").results(r -> "").to(sink());
  }

  static KafkaKeyedSink<String, String> sink() {
    return Kafka.sink("out").key(Serdes.string()).value(Serdes.string());
  }

  static Row counted(String covers, Windows was, Windows is, String... told) {
    return row(covers, counted(was), counted(is), told);
  }

  static Windows late(Windows windows, int minutes) {
    return windows.allowedLateness(Duration.ofMinutes(minutes));
  }

  /// What windows are told, with an operator of each kind.
  static List<Row> windows() {
    ZoneId utc = ZoneId.of("UTC");
    Windows tumbling = Windows.tumbling(MINUTE);
    Windows sessions = Windows.sessions(MINUTE);
    Windows sliding = Windows.sliding(MINUTE);
    String count = "count 'c' (stores 'c'";
    return List.of(
        counted(
            "Tumbling.size",
            late(tumbling, 1),
            late(Windows.tumbling(MINUTE.multipliedBy(2)), 1),
            count,
            "size was 1m, is 2m"),
        counted(
            "Hopping.size",
            late(Windows.hopping(MINUTE, SECOND), 1),
            late(Windows.hopping(MINUTE.multipliedBy(2), SECOND), 1),
            count,
            "size was 1m, is 2m"),
        counted(
            "Hopping.every",
            Windows.hopping(MINUTE, SECOND),
            Windows.hopping(MINUTE, SECOND.multipliedBy(2)),
            count,
            "every was 1s, is 2s"),
        counted(
            "Calendar.unit", Windows.days(utc), Windows.weeks(utc), count, "unit was DAY, is WEEK"),
        counted(
            "Calendar.zone",
            Windows.days(utc),
            Windows.days(ZoneId.of("Asia/Tokyo")),
            count,
            "zone was UTC, is Asia/Tokyo"),
        counted(
            "Session.gap",
            late(sessions, 1),
            late(Windows.sessions(SECOND), 1),
            count,
            "gap was 1m, is 1s"),
        row(
            "gap of sessions of rows",
            collected(late(sessions, 1)),
            collected(late(Windows.sessions(SECOND), 1)),
            "sessions of rows 'c' (stores",
            "gap was 1m, is 1s"),
        counted(
            "Sliding.size",
            late(sliding, 1),
            late(Windows.sliding(SECOND), 1),
            count,
            "size was 1m, is 1s"),
        counted(
            "Counted.records",
            Windows.ofRecords(10),
            Windows.ofRecords(20),
            count,
            "records was 10, is 20"),
        counted("All", Windows.all(), Windows.ofRecords(20), count, "windows was all records"),
        counted("kind of windows", late(tumbling, 1), late(sessions, 1), "windows was tumbling"),
        counted(
            "Timing.lateness",
            late(tumbling, 1),
            late(tumbling, 2),
            count,
            "lateness was 1m, is 2m"),
        counted("lateness", late(sessions, 1), late(sessions, 2), count, "lateness was 1m, is 2m"),
        counted("lateness", late(sliding, 1), late(sliding, 2), count, "lateness was 1m, is 2m"),
        counted(
            "lateness of calendar windows",
            late(Windows.days(utc), 1),
            late(Windows.days(utc), 2),
            count,
            "lateness was 1m, is 2m"),
        counted(
            "Timing.onlyFinal",
            tumbling,
            tumbling.onlyFinal(),
            "only final was no, is yes",
            "store 'c-fired' of count 'c' is gone"),
        counted(
            "lateness of results that are final",
            late(tumbling, 1).onlyFinal(),
            late(tumbling, 2).onlyFinal(),
            count,
            "lateness was 1m, is 2m"),
        counted(
            "early",
            tumbling,
            tumbling.early(10),
            "early was no, is yes",
            "'c-early' of count 'c' is new"),
        counted(
            "early without stores",
            Windows.ofRecords(10),
            Windows.ofRecords(10).early(2),
            count,
            "early was no, is yes"),
        row(
            "SameWindow.windows",
            joined(Within.window(late(tumbling, 1))),
            joined(Within.window(late(Windows.tumbling(SECOND), 1))),
            "windows 'j' (stores",
            "size was 1m, is 1s"));
  }

  static StreamApplication joined(Within within) {
    return t ->
        t.from(KEYED)
            .join("j", stream(t.from(OTHER), within), (l, r) -> l)
            .as(Serdes.string())
            .to(sink());
  }

  static StreamApplication foreign(boolean left, Mapper<String, String> key) {
    return t -> {
      Table<String, String> one = t.table("one", KEYED);
      Table<String, String> two = t.table("two", OTHER);
      (left
              ? one.leftJoin("j", two, key, (l, r) -> l).as(Serdes.string())
              : one.join("j", two, key, (l, r) -> l).as(Serdes.string()))
          .toStream()
          .to(sink());
    };
  }

  static StreamApplication lookedUp(KafkaKeyedSource<String, String> source) {
    return t -> {
      Table<String, String> table = t.table("one", source);
      t.from(OTHER).join("j", table(table), (l, r) -> l).as(Serdes.string()).to(sink());
    };
  }

  static final StreamApplication CALLED =
      t -> t.from(KEYED).call("a", Call.<String, String>blocking(v -> v)).to(sink());

  static StreamApplication grouped(Mapper<String, String> key) {
    return t -> t.from(IN).groupBy("g", key).count("c").toStream().mapValues(v -> "").to(sink());
  }

  static StreamApplication chained(Mapper<String, String> key) {
    return t -> t.from(IN).groupBy("g", key).stream().to(sink());
  }

  static StreamApplication sizedBy(Mapper<String, Duration> size) {
    return counted(Windows.sizedBy(size));
  }

  static StreamApplication sizedTogether(Mapper<String, Duration> size) {
    return t ->
        t.from(KEYED)
            .coGroup(t.from(OTHER))
            .apply("c", Windows.sizedBy(size), (w, sides) -> "")
            .as(Serdes.string())
            .results(r -> "")
            .to(sink());
  }

  static StreamApplication identified(Mapper<String, String> attribute) {
    return t -> t.from(KEYED).groupByKey().deduplicate("d", SECOND, attribute).to(sink());
  }

  static StreamApplication ranked(Mapper<String, String> group) {
    return t ->
        in(t, Windows.tumbling(MINUTE))
            .count("c")
            .topK("top", 3, result -> group.map(result.key()), r -> "")
            .as(Serdes.string())
            .to(sink());
  }

  private static String start(String value) {
    return value.substring(0, 1);
  }

  /// Functions that say where what is kept lies.
  static List<Row> functions() {
    Mapper<String, String> upper = value -> value.toUpperCase(Locale.ROOT);
    return List.of(
        row("key", grouped(v -> v), grouped(upper), "exchange 'g': code of the key function was"),
        row(
            "key without an aggregate",
            chained(v -> v),
            chained(PlanRows::start),
            "exchange 'g': code of the key function was"),
        row(
            "foreign key",
            foreign(false, v -> v),
            foreign(false, upper),
            "exchange 'j': code of the foreign key function was"),
        row(
            "attribute",
            identified(v -> v),
            identified(upper),
            "deduplicate 'd'",
            "code of the attribute function was"),
        row(
            "Sized.size",
            sizedBy(v -> MINUTE),
            sizedBy(v -> Duration.parse(v)),
            "count 'c'",
            "code of the size function was"),
        row(
            "Sized.size of several streams",
            sizedTogether(v -> MINUTE),
            sizedTogether(v -> Duration.parse(v)),
            "windows 'c'",
            "code of the size function was"),
        row(
            "group",
            ranked(v -> v),
            ranked(upper),
            "exchange 'top': code of the group function was"));
  }

  private static Call<String, String> limited() {
    return Call.<String, String>batched(5, all -> all)
        .inFlight(3)
        .timeout(SECOND)
        .retries(7, SECOND)
        .perSecond(9)
        .breaker(5, SECOND)
        .cache(100, MINUTE)
        .unordered();
  }

  /// What may be changed at any time.
  static List<Row> indifferent() {
    Windows tumbling = Windows.tumbling(MINUTE);
    return List.of(
        counted("Timing.earlyEvery", tumbling.early(SECOND), tumbling.early(MINUTE)),
        counted("Timing.earlyRecords", tumbling.early(10), tumbling.early(20)),
        row("limits of calls", CALLED, t -> t.from(KEYED).call("a", limited()).to(sink())),
        row(
            "way of calls",
            CALLED,
            t ->
                t.from(KEYED)
                    .call("a", Call.<String, String>future(CompletableFuture::completedFuture))
                    .to(sink())),
        row(
            "steps without state",
            t ->
                t.from(IN).groupBy("g", v -> v).count("c").toStream().mapValues(v -> "").to(sink()),
            t ->
                t.from(IN.eventTime(v -> Instant.EPOCH, SECOND).asBounded())
                    .filter(v -> true)
                    .map(v -> v)
                    .flatMap(v -> List.of(v))
                    .as(Serdes.string())
                    .sample(0.5, v -> v)
                    .peek(v -> {})
                    .groupBy("g", v -> v)
                    .count("c")
                    .toStream()
                    .filter(v -> v > 1)
                    .mapValues(v -> "")
                    .to(Kafka.sink("elsewhere").key(Serdes.string()).value(Serdes.string()))),
        row(
            "a table that is conflated",
            t -> t.from(KEYED).groupByKey().count("c").toStream().mapValues(v -> "").to(sink()),
            t ->
                t.from(KEYED)
                    .groupByKey()
                    .count("c")
                    .conflated()
                    .toStream()
                    .mapValues(v -> "")
                    .to(sink())),
        row(
            "sinks that records choose",
            t -> t.from(KEYED).to(sink()),
            t -> t.from(KEYED).to(v -> v, List.of(sink()))),
        row(
            "rows as records",
            t -> t.from(KEYED).map(v -> v).to(OUT),
            t -> t.from(KEYED).records().map(r -> r.value()).to(OUT)),
        row(
            "what is done with late rows",
            collected(tumbling),
            t ->
                in(t, tumbling)
                    .tooLate(rows ->
                        rows.to(Kafka.sink("late").key(Serdes.string()).value(Serdes.string())))
                    .apply("c", (w, all) -> "")
                    .results(r -> "")
                    .to(sink())),
        row(
            "kind of lookup",
            lookedUp(KEYED),
            t -> {
              Table<String, String> table = t.table("one", KEYED);
              t.from(OTHER).leftJoin("j", table(table), (l, r) -> l).as(Serdes.string()).to(sink());
            }));
  }
}
