package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.remote;
import static dev.millrace.api.With.stream;
import static dev.millrace.internal.engine.plan.PlanRows.CALLED;
import static dev.millrace.internal.engine.plan.PlanRows.IN;
import static dev.millrace.internal.engine.plan.PlanRows.KEYED;
import static dev.millrace.internal.engine.plan.PlanRows.MINUTE;
import static dev.millrace.internal.engine.plan.PlanRows.OTHER;
import static dev.millrace.internal.engine.plan.PlanRows.OUT;
import static dev.millrace.internal.engine.plan.PlanRows.RESHAPED;
import static dev.millrace.internal.engine.plan.PlanRows.SECOND;
import static dev.millrace.internal.engine.plan.PlanRows.foreign;
import static dev.millrace.internal.engine.plan.PlanRows.in;
import static dev.millrace.internal.engine.plan.PlanRows.joined;
import static dev.millrace.internal.engine.plan.PlanRows.keyed;
import static dev.millrace.internal.engine.plan.PlanRows.late;
import static dev.millrace.internal.engine.plan.PlanRows.lookedUp;
import static dev.millrace.internal.engine.plan.PlanRows.row;
import static dev.millrace.internal.engine.plan.PlanRows.sink;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Broadcast;
import dev.millrace.api.Call;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.PlanRows.Row;
import dev.millrace.internal.engine.topology.TextSerde;
import dev.millrace.spi.ExternalSink;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// The rows of operators, stores and exchanges.
final class OperatorRows {
  private OperatorRows() {}

  private static final class Nothing implements Processor<String, String, String> {
    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {}
    }
  }

  private record Elsewhere(String stream, Serde<String> valueSerde)
      implements ExternalSink<Object, String> {
    @Override
    public Delivery open(String task, String changelog) {
      throw new AssertionError("A plan opens nothing.");
    }
  }

  private static StreamApplication interval(int before, int after, int lateness) {
    return joined(
        Within.of(Duration.ofSeconds(before), Duration.ofSeconds(after))
            .allowedLateness(Duration.ofSeconds(lateness)));
  }

  private static StreamApplication windowedTables(boolean left, Windows windows) {
    return t -> {
      WindowedTable<String, Long> one = t.from(KEYED).groupByKey().window(windows).count("one");
      WindowedTable<String, Long> two = t.from(OTHER).groupByKey().window(windows).count("two");
      (left ? one.leftJoin("j", two, (l, r) -> l) : one.join("j", two, (l, r) -> l))
          .results(r -> "")
          .to(sink());
    };
  }

  private static StreamApplication tables(boolean left) {
    return t -> {
      Table<String, String> one = t.table("one", KEYED);
      Table<String, String> two = t.table("two", OTHER);
      (left
              ? one.leftJoin("j", two, (l, r) -> l).as(Serdes.string())
              : one.join("j", two, (l, r) -> l).as(Serdes.string()))
          .toStream()
          .to(sink());
    };
  }

  private static StreamApplication asOf(boolean left, int lateness, Windows ofTable) {
    return t -> {
      Table<String, String> table =
          in(t, ofTable)
              .reduce("r", (a, b) -> a)
              .results(r -> "")
              .as(Serdes.string())
              .groupByKey()
              .latest("l");
      KeyedStream<String, String> stream = t.from(KEYED);
      (left
              ? stream.leftJoin("j", With.asOf(table, Duration.ofSeconds(lateness)), (l, r) -> l)
              : stream.join("j", With.asOf(table, Duration.ofSeconds(lateness)), (l, r) -> l))
          .to(sink());
    };
  }

  private static StreamApplication top(int k, boolean corrected, Windows windows) {
    return t -> {
      WindowedTable<String, Long> counts =
          in(t, corrected ? windows : windows.allowedLateness(Duration.ZERO)).count("c");
      counts.topK("top", k, ranked -> "").as(Serdes.string()).to(OUT);
    };
  }

  private static StreamApplication ticking(Duration tick) {
    return t -> {
      t.consistentEvery(tick);
      t.table("one", KEYED).toStream().to(sink());
    };
  }

  private static StreamApplication deduplicated(Duration within) {
    return t -> t.from(KEYED).groupByKey().deduplicate("d", within).to(sink());
  }

  private static StreamApplication latestOf(Windows windows) {
    return t ->
        in(t, windows)
            .reduce("r", (a, b) -> a)
            .results(r -> "")
            .as(Serdes.string())
            .groupBy("by-result", v -> v)
            .latest("l")
            .toStream()
            .to(sink());
  }

  private static StreamApplication aggregated(Consumer<KeyedStream<String, String>> then) {
    return t -> then.accept(t.from(KEYED));
  }

  private static StreamApplication processed(StoreSpec<?, ?>... stores) {
    return t -> t.from(KEYED).process("p", Nothing::new, stores).to(sink());
  }

  private static StoreSpec<String, String> store(String name) {
    return StoreSpec.keyValue(name, Serdes.string(), Serdes.string());
  }

  private static StreamApplication delivered(Serde<String> values) {
    return t -> t.from(IN).to(new Elsewhere("elsewhere", values));
  }

  private static StreamApplication broadcast(Serde<String> values) {
    return t -> {
      Broadcast<String, String> table = t.broadcastTable("b", keyed("keyed", values));
      t.from(OTHER)
          .join("j", With.broadcast(table, v -> v), (l, r) -> l)
          .as(Serdes.string())
          .to(sink());
    };
  }

  private static final RemoteTable<String, String> REMOTE =
      RemoteTable.of(
          "remote", Call.<String, String>blocking(key -> key), Call.blocking(write -> ""));

  /// What operators without windows are told.
  static List<Row> operators() {
    Serde<String> text = TextSerde.named("text");
    Windows tumbling = Windows.tumbling(MINUTE);
    return List.of(
        row(
            "Interval.before",
            interval(1, 2, 3),
            interval(2, 2, 3),
            "interval join 'j' (stores",
            "before was 1s, is 2s"),
        row(
            "Interval.after",
            interval(1, 2, 3),
            interval(1, 3, 3),
            "interval join 'j' (stores",
            "after was 2s, is 3s"),
        row(
            "Interval.lateness",
            interval(1, 2, 3),
            interval(1, 2, 4),
            "interval join 'j' (stores",
            "lateness was 3s, is 4s"),
        row(
            "left interval join",
            joined(Within.of(SECOND)),
            t ->
                t.from(KEYED)
                    .leftJoin("j", stream(t.from(OTHER), Within.of(SECOND)), (l, r) -> l)
                    .as(Serdes.string())
                    .to(sink()),
            "interval join 'j' (stores",
            "keeps left ones alone was no, is yes"),
        row(
            "left join of windowed tables",
            windowedTables(false, tumbling),
            windowedTables(true, tumbling),
            "interval join 'j' (stores",
            "keeps left ones alone was no, is yes"),
        row(
            "lateness of joined windowed tables",
            windowedTables(false, late(tumbling, 1)),
            windowedTables(false, late(tumbling, 2)),
            "interval join 'j' (stores",
            "lateness was 1m, is 2m"),
        row(
            "sides of a join",
            joined(Within.of(SECOND)),
            t ->
                t.from(OTHER)
                    .join("j", stream(t.from(KEYED), Within.of(SECOND)), (l, r) -> l)
                    .as(Serdes.string())
                    .to(sink()),
            "interval join 'j'",
            "fed by was keyed | other, is other | keyed"),
        row(
            "left table join",
            tables(false),
            tables(true),
            "table join 'j' (stores",
            "needs a right one was yes, is no"),
        row(
            "left foreign key join",
            foreign(false, v -> v),
            foreign(true, v -> v),
            "foreign key join 'j' (stores",
            "needs a right one was yes, is no"),
        row(
            "lateness of joinAsOf",
            asOf(false, 1, tumbling),
            asOf(false, 2, tumbling),
            "as-of join 'j' (stores",
            "lateness was 1s, is 2s"),
        row(
            "lateness of its table",
            asOf(false, 1, late(tumbling, 1)),
            asOf(false, 1, late(tumbling, 2)),
            "as-of join 'j' (stores",
            "lateness of the table was 1m, is 2m"),
        row(
            "leftJoinAsOf",
            asOf(false, 1, tumbling),
            asOf(true, 1, tumbling),
            "as-of join 'j' (stores",
            "needs a right one was yes, is no"),
        row(
            "k",
            top(3, false, tumbling),
            top(4, false, tumbling),
            "top 'top' (store 'top')",
            "k was 3, is 4"),
        row(
            "k of corrected windows",
            top(3, true, tumbling),
            top(4, true, tumbling),
            "corrected top 'top' (stores",
            "k was 3, is 4"),
        row("tick", ticking(SECOND), ticking(MINUTE), "table 'one' (stores", "tick was 1s, is 1m"),
        row(
            "deduplicate",
            deduplicated(SECOND),
            deduplicated(MINUTE),
            "deduplicate 'd' (stores",
            "within was 1s, is 1m"),
        row(
            "latest of corrected rows",
            latestOf(late(tumbling, 1)),
            latestOf(late(tumbling, 2)),
            "latest 'l' (stores",
            "rows may be taken back for was 1m, is 2m"),
        row(
            "what an aggregation computes",
            aggregated(s -> s.groupByKey().reduce("a", (a, b) -> a).toStream().to(sink())),
            aggregated(s -> s.groupByKey().latest("a").toStream().to(sink())),
            "latest 'a' (store 'a')",
            "computes was reduce, is latest"),
        row(
            "what it computes in windows",
            t -> in(t, tumbling).reduce("c", (a, b) -> a).results(r -> "").to(sink()),
            t ->
                in(t, tumbling)
                    .aggregate(
                        "c", Aggregate.<String, String>merging(() -> "", (a, b) -> a, (a, b) -> a))
                    .as(Serdes.string())
                    .results(r -> "")
                    .to(sink()),
            "computes was reduce, is aggregate"),
        row(
            "kind of call",
            CALLED,
            t -> t.from(KEYED).put("a", REMOTE).to(sink()),
            "kind was call, is remote write"),
        row(
            "kind of remote operator",
            t -> t.from(KEYED).put("a", REMOTE).to(sink()),
            t ->
                t.from(KEYED).join("a", remote(REMOTE), (l, r) -> l).as(Serdes.string()).to(sink()),
            "kind was remote write, is remote join"),
        row(
            "values of a sink elsewhere",
            delivered(Serdes.string()),
            delivered(text),
            "delivery 'elsewhere' (store",
            "serde of values was"),
        row(
            "source of a table",
            lookedUp(KEYED),
            lookedUp(keyed("more", Serdes.string())),
            "input 'more",
            "is new",
            "input 'keyed",
            "is gone"),
        row(
            "values of a broadcast table",
            broadcast(Serdes.string()),
            broadcast(text),
            "store 'b of stage 0'",
            "serde of values was"),
        row(
            "one operator less",
            processed(store("s")),
            t -> t.from(KEYED).to(sink()),
            "process 'p' (stores 's', 'p-timers') is gone"));
  }

  /// What stores and exchanges are told.
  static List<Row> formats() {
    Serde<String> text = TextSerde.named("text");
    StoreSpec<String, String> store = store("s");
    StreamApplication one = processed(store);
    return List.of(
        row(
            "StoreSpec.name",
            one,
            processed(store("s2")),
            "store 's2' of process 'p' is new",
            "store 's' of process 'p' is gone"),
        row(
            "StoreSpec.keySerde",
            one,
            processed(StoreSpec.keyValue("s", RESHAPED, Serdes.string())),
            "store 's' of process 'p': schema of keys was not set, is another schema"),
        row(
            "StoreSpec.valueSerde",
            one,
            processed(StoreSpec.keyValue("s", Serdes.string(), Serdes.longs())),
            "store 's' of process 'p': serde of values was"),
        row(
            "StoreSpec.ranges",
            one,
            processed(store.withRanges()),
            "store 's' of process 'p': ranges was no, is yes"),
        row(
            "StoreSpec.timeToLive",
            one,
            processed(store.withTimeToLive(MINUTE)),
            "store 's' of process 'p': values expire was not set, is yes"),
        row(
            "values of an exchange",
            t -> t.from(IN).groupBy("g", v -> v).stream().to(sink()),
            t -> t.from(IN).map(v -> v).as(text).groupBy("g", v -> v).stream().to(sink()),
            "exchange 'g': serde of values was"),
        row(
            "keys of an exchange",
            t -> t.from(IN).groupBy("g", v -> v).stream().map(v -> v).to(OUT),
            t -> t.from(IN).groupBy("g", v -> v).keyAs(RESHAPED).stream().map(v -> v).to(OUT),
            "exchange 'g': schema of keys was not set, is another schema"),
        row(
            "name of an exchange",
            t -> t.from(IN).groupBy("g", v -> v).stream().to(sink()),
            t -> t.from(IN).groupBy("h", v -> v).stream().to(sink()),
            "exchange 'h' is new",
            "exchange 'g' is gone"));
  }

  /// Each value carries its expiry.
  static Row timeToLive() {
    StoreSpec<String, String> store = store("s");
    return row(
        "time to live",
        processed(store.withTimeToLive(MINUTE)),
        processed(store.withTimeToLive(SECOND)),
        "store 's' of process 'p': time to live was 1m, is 1s");
  }
}
