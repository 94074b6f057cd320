package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.all;
import static dev.millrace.api.Windows.days;
import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.months;
import static dev.millrace.api.Windows.ofRecords;
import static dev.millrace.api.Windows.sessions;
import static dev.millrace.api.Windows.sizedBy;
import static dev.millrace.api.Windows.sliding;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.Windows.weeks;
import static dev.millrace.api.Windows.years;
import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.stream;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.KeyPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Builds what [Op]s say.
///
/// @param prefix of its name and its topics
/// @param other what calls ask
record DrawnTopology(String prefix, Sketch sketch, OtherSystem other)
    implements StreamApplication, Outside {

  /// A stream with or without keys.
  private sealed interface Flow {}

  private record Keyed(KeyedStream<String, Item> stream) implements Flow {}

  private record Plain(Stream<Item> stream) implements Flow {}

  private record Tabled(Table<String, Item> table) implements Flow {}

  @Override
  public String name() {
    return prefix + "drawn";
  }

  @Override
  public void goOn() {
    other.goOn();
  }

  @Override
  public void describe(Topology topology) {
    if (sketch.tickMillis() > 0) {
      topology.consistentEvery(Duration.ofMillis(sketch.tickMillis()));
    }
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < sketch.operators().size(); i++) {
      flows.add(build(topology, flows, sketch.operators().get(i).op(), Op.name(i)));
    }
  }

  private Flow build(Topology topology, List<Flow> flows, Op op, String name) {
    return switch (op) {
      case Op.FromTopic source -> from(topology, source);
      case Op.Filter _, Op.MapValues _, Op.Map _, Op.FlatMap _, Op.Merge _ -> stateless(flows, op);
      case Op.Branch _, Op.Rest _, Op.Sample _ -> parts(flows, op);
      case Op.Deduplicate(int from, Op.By by, int within, Op.Alike alike) ->
          new Keyed(
              deduplicated(
                  grouped(flows.get(from), by, name), name, Duration.ofMillis(within), alike));
      case Op.Group(int from, Op.By by) -> new Keyed(grouped(flows.get(from), by, name).stream());
      case Op.Ask ask -> asked(flows.get(ask.from()), ask, name);
      case Op.Sum(int from, Op.By by) ->
          new Keyed(
              grouped(flows.get(from), by, name)
                  .aggregate(name, () -> new Item("", 0, 0), (sum, item) -> add(sum, item))
                  .toStream());
      case Op.Table(int from, Op.By by) ->
          new Tabled(
              grouped(flows.get(from), by, name)
                  .aggregate(
                      name,
                      () -> new Item("", 0, 0),
                      (sum, item) -> sum.withNumber(sum.number() + item.number())));
      case Op.TopicTable(int from) ->
          new Tabled(topology.table(name, keyed((Op.FromTopic) sketch.ops().get(from))));
      case Op.Join join -> new Keyed(join(join, flows, name));
      case Op.JoinAsOf join -> new Keyed(joinAsOf(join, flows, name));
      case Op.JoinTables(int from, int other, Op.Kept kept) ->
          new Tabled(join(table(flows.get(from)), table(flows.get(other)), kept, name));
      case Op.JoinForeign(int from, int other, int modulo, Op.Kept kept) ->
          new Tabled(join(table(flows.get(from)), table(flows.get(other)), modulo, kept, name));
      case Op.Windowed windowed ->
          new Keyed(
              windowed(grouped(flows.get(windowed.from()), windowed.by(), name), name, windowed));
      case Op.Together(int from, int other, Op.Shape shape, boolean late) ->
          new Keyed(
              together(
                  keyed(flows.get(from)), keyed(flows.get(other)), name, windows(shape, late)));
      case Op.Top top -> top(grouped(flows.get(top.from()), top.by(), name), name, top);
      case Op.Bucketed(int from, Op.By by) ->
          new Keyed(
              grouped(flows.get(from), by, name).stream()
                  .process(name, () -> new Buckets(name), Buckets.slots(name), Buckets.counts(name))
                  .as(Serdes.record(Item.class)));
      case Op.Counted counted ->
          new Keyed(counted(grouped(flows.get(counted.from()), counted.by(), name), name, counted));
      case Op.Delayed(int from, Op.By by, int most) ->
          new Keyed(
              grouped(flows.get(from), by, name).stream()
                  .process(
                      name, () -> new Delays(name, most), Delays.slots(name), Delays.clocks(name))
                  .as(Serdes.record(Item.class)));
      case Op.ToTopic sink -> {
        boolean timed = !sketch.operators().get(sink.from()).traits().table();
        to(flows.get(sink.from()), sink, timed);
        yield flows.get(sink.from());
      }
    };
  }

  /// What the last item makes of a sum; at ticks it counts as part of the tick that it lies before.
  private Item add(Item sum, Item item) {
    long number = sum.number() + item.number();
    long tick = sketch.tickMillis();
    return tick == 0
        ? item.withNumber(number)
        : new Item("", number, (Math.floorDiv(item.at(), tick) + 1) * tick - 1);
  }

  private static Flow parts(List<Flow> flows, Op op) {
    return switch (op) {
      case Op.Branch(int from, int modulo) ->
          flows.get(from) instanceof Plain(var in)
              ? new Plain(in.branch(item -> item.number() % modulo != 0).matching())
              : new Keyed(
                  keyed(flows.get(from)).branch(item -> item.number() % modulo != 0).matching());
      case Op.Rest(int from, int modulo) ->
          flows.get(from) instanceof Plain(var in)
              ? new Plain(in.branch(item -> item.number() % modulo != 0).rest())
              : new Keyed(
                  keyed(flows.get(from)).branch(item -> item.number() % modulo != 0).rest());
      case Op.Sample(int from, int percent, boolean byItem) -> {
        double share = percent / 100.0;
        if (flows.get(from) instanceof Plain(var in)) {
          yield new Plain(in.sample(share, Item::key));
        }
        KeyedStream<String, Item> in = keyed(flows.get(from));
        yield new Keyed(byItem ? in.sample(share, Item::key) : in.sample(share));
      }
      default -> throw new AssertionError(op);
    };
  }

  private Flow asked(Flow flow, Op.Ask ask, String name) {
    return switch (flow) {
      case Plain(var in) -> new Plain(in.call(name, other.call(ask)).as(Serdes.record(Item.class)));
      case Keyed(var in) -> new Keyed(in.call(name, other.call(ask)).as(Serdes.record(Item.class)));
      case Tabled _ -> throw new AssertionError(ask);
    };
  }

  private static KeyedStream<String, Item> deduplicated(
      Grouped<String, Item> grouped, String name, Duration within, Op.Alike alike) {
    return alike == Op.Alike.ALL
        ? grouped.deduplicate(name, within)
        : grouped.deduplicate(name, within, item -> alike.of(item));
  }

  private static Flow stateless(List<Flow> flows, Op op) {
    return switch (op) {
      case Op.Filter(int from, int modulo) ->
          switch (flows.get(from)) {
            case Tabled(var in) -> new Tabled(in.filter(item -> item.number() % modulo != 0));
            case Keyed(var in) -> new Keyed(in.filter(item -> item.number() % modulo != 0));
            case Plain(var in) -> new Plain(in.filter(item -> item.number() % modulo != 0));
          };
      case Op.MapValues(int from, int added) ->
          flows.get(from) instanceof Tabled(var in)
              ? new Tabled(in.mapValues(item -> item.withNumber(item.number() + added)))
              : new Keyed(
                  keyed(flows.get(from)).mapValues(item -> item.withNumber(item.number() + added)));
      case Op.Map(int from) ->
          switch (flows.get(from)) {
            case Tabled(var in) -> new Plain(in.toChangelogStream().map(item -> longer(item)));
            case Keyed(var in) -> new Plain(in.map(item -> longer(item)));
            case Plain(var in) -> new Plain(in.map(item -> longer(item)));
          };
      case Op.FlatMap(int from) ->
          switch (flows.get(from)) {
            case Tabled(var in) -> new Plain(in.toChangelogStream().flatMap(Item::several));
            case Keyed(var in) -> new Plain(in.flatMap(Item::several));
            case Plain(var in) -> new Plain(in.flatMap(Item::several));
          };
      case Op.Merge(int from, int other) ->
          switch (flows.get(from)) {
            case Tabled(var in) -> new Keyed(in.toChangelogStream().merge(keyed(flows.get(other))));
            case Keyed(var in) -> new Keyed(in.merge(keyed(flows.get(other))));
            case Plain(var in) -> new Plain(in.merge(((Plain) flows.get(other)).stream()));
          };
      default -> throw new AssertionError(op);
    };
  }

  private Flow from(Topology topology, Op.FromTopic source) {
    if (source.keyed()) {
      return new Keyed(topology.from(keyed(source)));
    }
    var in =
        Kafka.source(prefix + source.topic())
            .value(Serdes.record(Item.class))
            .eventTime(item -> Instant.ofEpochMilli(item.at()), disorder(source))
            .asBounded();
    return new Plain(topology.from(isMarked(source) ? in.watermark(Item::mark) : in));
  }

  private KafkaKeyedSource<String, Item> keyed(Op.FromTopic source) {
    var in =
        Kafka.source(prefix + source.topic())
            .key(Serdes.string())
            .value(Serdes.record(Item.class))
            .eventTime(item -> Instant.ofEpochMilli(item.at()), disorder(source))
            .asBounded();
    return isMarked(source) ? in.watermark(Item::mark) : in;
  }

  private static boolean isMarked(Op.FromTopic source) {
    return source.time() == Op.Time.MARKED;
  }

  private static Duration disorder(Op.FromTopic source) {
    boolean bounded = source.time() == Op.Time.BOUNDED;
    return Duration.ofMillis(bounded ? source.disorderMillis() : 0);
  }

  /// @param timed whether event times are determined
  private void to(Flow flow, Op.ToTopic op, boolean timed) {
    Manner manner = op.manner();
    var topic = Kafka.sink(prefix + op.topic());
    var values = topic.value(Serdes.record(Item.class)).timestamps(Timestamps.CLAMPED);
    var plain = manner.apply(op.retractions() ? values.withRetractions() : values, timed);
    var entries =
        topic.key(Serdes.string()).value(Serdes.record(Item.class)).timestamps(Timestamps.CLAMPED);
    var told = op.retractions() ? entries.withRetractions() : entries;
    var keyed = manner.apply(told, timed);
    switch (flow) {
      case Tabled(var in) when !manner.weighed() -> in.to(keyed);
      case Plain(var in) -> {
        Stream<Item> written =
            manner.weighed()
                ? in.records().map(r -> Manner.weighed(null, r.timestamp(), r.value(), timed))
                : in;
        written.to(manner.ownKeys() ? manner.byOwnKey(told, timed) : plain);
      }
      case Tabled _, Keyed _ -> {
        KeyedStream<String, Item> in = keyed(flow);
        KeyedStream<String, Item> written =
            manner.weighed()
                ? in.records()
                    .mapValues(r -> Manner.weighed(r.key(), r.timestamp(), r.value(), timed))
                : in;
        written.to(keyed);
      }
    }
  }

  /// Of late items, none is too late.
  private Windows windows(Op.Shape shape, boolean late) {
    Duration size = Duration.ofMillis(shape.millis());
    Windows windows =
        switch (shape.cut()) {
          case SESSIONS -> sessions(size);
          case SLIDING -> sliding(size);
          case DAYS -> days(sketch.era().zone());
          case WEEKS -> weeks(sketch.era().zone());
          case MONTHS -> months(sketch.era().zone());
          case YEARS -> years(sketch.era().zone());
          case TOLD -> sizedBy((Item item) -> Duration.ofMillis(shape.told(item)));
          case REGULAR ->
              shape.every() == shape.millis()
                  ? tumbling(size)
                  : hopping(size, Duration.ofMillis(shape.every()));
        };
    return windows.allowedLateness(late ? Duration.ofHours(1) : Duration.ZERO);
  }

  private static KeyedStream<String, Item> keyed(Flow flow) {
    return flow instanceof Tabled(var table) ? table.toChangelogStream() : ((Keyed) flow).stream();
  }

  private static Table<String, Item> table(Flow flow) {
    return ((Tabled) flow).table();
  }

  private static KeyedStream<String, Item> join(Op.Join join, List<Flow> flows, String name) {
    KeyedStream<String, Item> left = keyed(flows.get(join.from()));
    KeyedStream<String, Item> right = keyed(flows.get(join.other()));
    int before = join.before();
    int after = join.after();
    Within late =
        Within.of(Duration.ofMillis(before), Duration.ofMillis(after))
            .allowedLateness(join.late() ? Duration.ofHours(1) : Duration.ZERO);
    return switch (join.kept()) {
      case NONE -> left.join(name, stream(right, late), (l, r) -> Item.pair(l, r, before, after));
      case LEFT ->
          left.leftJoin(name, stream(right, late), (l, r) -> Item.pair(l, r, before, after));
      case BOTH ->
          left.outerJoin(name, stream(right, late), (l, r) -> Item.pair(l, r, before, after));
    };
  }

  private KeyedStream<String, Item> joinAsOf(Op.JoinAsOf join, List<Flow> flows, String name) {
    Table<String, Item> sums =
        keyed(flows.get(join.other()))
            .groupByKey()
            .window(windows(new Op.Shape(join.millis(), join.millis()), join.late()))
            .aggregate(name + "-sums", () -> 0L, (sum, item) -> sum + item.number())
            .results(r -> new Item(r.key(), r.value(), r.window().end().toEpochMilli() - 1))
            .groupByKey()
            .latest(name + "-last")
            .filter(item -> join.passes(item.number()));
    KeyedStream<String, Item> from = keyed(flows.get(join.from()));
    Duration late = join.late() ? Duration.ofHours(1) : Duration.ZERO;
    return join.kept() == Op.Kept.NONE
        ? from.join(name, asOf(sums, late), (item, sum) -> Item.lookup(item, sum))
        : from.leftJoin(name, asOf(sums, late), (item, sum) -> Item.lookup(item, sum));
  }

  private static Table<String, Item> join(
      Table<String, Item> left, Table<String, Item> right, Op.Kept kept, String name) {
    return switch (kept) {
      case NONE -> left.join(name, right, (l, r) -> Item.entry(l, r));
      case LEFT -> left.leftJoin(name, right, (l, r) -> Item.entry(l, r));
      case BOTH -> left.outerJoin(name, right, (l, r) -> Item.entry(l, r));
    };
  }

  private Table<String, Item> join(
      Table<String, Item> left, Table<String, Item> right, int modulo, Op.Kept kept, String name) {
    KeyPool keys = sketch.keys();
    return kept == Op.Kept.NONE
        ? left.join(name, right, l -> l.refersTo(modulo, keys), (l, r) -> Item.entry(l, r))
        : left.leftJoin(name, right, l -> l.refersTo(modulo, keys), (l, r) -> Item.entry(l, r));
  }

  private static Grouped<String, Item> grouped(Flow flow, Op.By by, String name) {
    int modulo = by.modulo();
    if (!by.exchange()) {
      return keyed(flow).groupByKey();
    }
    return switch (flow) {
      case Tabled(var in) -> in.groupBy("by-" + name, item -> Op.By.key(item, modulo));
      case Keyed(var in) -> in.groupBy("by-" + name, item -> Op.By.key(item, modulo));
      case Plain(var in) -> in.groupBy("by-" + name, item -> Op.By.key(item, modulo));
    };
  }

  private static KeyedStream<String, Item> together(
      KeyedStream<String, Item> left,
      KeyedStream<String, Item> right,
      String name,
      Windows windows) {
    return left.coGroup(right)
        .apply(
            name,
            windows,
            (_, sides) -> Op.Together.number(sides.of(left).size(), sides.of(right).size()))
        .results(r -> new Item(r.key(), r.value(), r.window().end().toEpochMilli() - 1));
  }

  private KeyedStream<String, Item> windowed(
      Grouped<String, Item> grouped, String name, Op.Windowed op) {
    Windows windows = windows(op.shape(), op.late());
    var windowed =
        grouped.window(
            switch (op.firing()) {
              case AT_END -> windows;
              case EARLY -> windows.early(Duration.ofSeconds(1)).early(3);
              // An item is late by six seconds at most.
              case ONLY_FINAL ->
                  windows.allowedLateness(Duration.ofSeconds(op.late() ? 7 : 3)).onlyFinal();
            });
    var table =
        !op.sums()
            ? windowed.count(name)
            : op.shape().millis() % 2_000 == 0
                ? windowed.aggregate(
                    name,
                    Aggregate.invertible(
                        () -> 0L,
                        (sum, item) -> sum + item.number(),
                        Long::sum,
                        (sum, item) -> sum - item.number()))
                : windowed.aggregate(name, () -> 0L, (sum, item) -> sum + item.number());
    return table.results(r -> {
      if (op.fails(r.value())) {
        throw new IllegalStateException(FailingResults.CAUSE);
      }
      return new Item(r.key(), r.value(), r.window().end().toEpochMilli() - 1);
    });
  }

  private static KeyedStream<String, Item> counted(
      Grouped<String, Item> grouped, String name, Op.Counted op) {
    Windows windows = op.items() == 0 ? all() : ofRecords(op.items());
    var windowed =
        grouped.window(op.early() ? windows.early(Duration.ofSeconds(1)).early(2) : windows);
    var table =
        op.collects()
            ? windowed.apply(
                name,
                (_, items) -> items.stream().mapToLong(item -> op.sums() ? item.number() : 1).sum())
            : op.sums()
                ? windowed.aggregate(name, () -> 0L, (sum, item) -> sum + item.number())
                : windowed.count(name);
    return table.results(
        r -> new Item(r.key(), r.value(), op.timed() ? r.window().end().toEpochMilli() - 1 : 0));
  }

  private Flow top(Grouped<String, Item> grouped, String name, Op.Top op) {
    var counts = grouped.window(windows(op.shape(), op.late())).count(name);
    String top = name + "-top";
    int groups = op.groups();
    return groups == 0
        ? new Plain(counts.topK(top, op.most(), r -> place(r)))
        : new Keyed(
            counts.topK(top, op.most(), r -> Op.Top.group(r.value(), groups), r -> place(r)));
  }

  private static Item place(Ranked<String, Long> r) {
    return new Item(r.rank() + " " + r.key(), r.value(), r.window().end().toEpochMilli() - 1);
  }

  private static Item longer(Item item) {
    return new Item(item.key() + "+", item.number(), item.at());
  }
}
