package dev.millrace.testkit.sim;

import static dev.millrace.api.Windows.tumbling;

import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Builds what [Op]s say.
///
/// @param prefix of its name and its topics
record DrawnTopology(String prefix, List<Op> ops) implements StreamApplication {

  /// A stream with or without keys.
  private sealed interface Flow {}

  private record Keyed(KeyedStream<String, Item> stream) implements Flow {}

  private record Plain(Stream<Item> stream) implements Flow {}

  @Override
  public String name() {
    return prefix + "drawn";
  }

  @Override
  public void describe(Topology topology) {
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      flows.add(build(topology, flows, ops.get(i), Op.name(i)));
    }
  }

  private Flow build(Topology topology, List<Flow> flows, Op op, String name) {
    return switch (op) {
      case Op.FromTopic source -> from(topology, source);
      case Op.Filter(int from, int modulo) ->
          switch (flows.get(from)) {
            case Keyed(var in) -> new Keyed(in.filter(item -> item.number() % modulo != 0));
            case Plain(var in) -> new Plain(in.filter(item -> item.number() % modulo != 0));
          };
      case Op.MapValues(int from, int added) ->
          new Keyed(
              keyed(flows.get(from)).mapValues(item -> item.withNumber(item.number() + added)));
      case Op.Map(int from) ->
          switch (flows.get(from)) {
            case Keyed(var in) -> new Plain(in.map(item -> longer(item)));
            case Plain(var in) -> new Plain(in.map(item -> longer(item)));
          };
      case Op.FlatMap(int from) ->
          switch (flows.get(from)) {
            case Keyed(var in) -> new Plain(in.flatMap(Item::several));
            case Plain(var in) -> new Plain(in.flatMap(Item::several));
          };
      case Op.Merge(int from, int other) ->
          switch (flows.get(from)) {
            case Keyed(var in) -> new Keyed(in.merge(keyed(flows.get(other))));
            case Plain(var in) -> new Plain(in.merge(((Plain) flows.get(other)).stream()));
          };
      case Op.Sum(int from, Op.By by) ->
          new Keyed(
              grouped(flows.get(from), by, name)
                  .aggregate(
                      name,
                      () -> new Item("", 0, 0),
                      (sum, item) -> item.withNumber(sum.number() + item.number()))
                  .updates());
      case Op.Windowed(int from, Op.By by, int millis, boolean sums) ->
          new Keyed(windowed(grouped(flows.get(from), by, name), name, millis, sums));
      case Op.Top(int from, Op.By by, int millis, int most) ->
          new Plain(
              grouped(flows.get(from), by, name)
                  .window(tumbling(Duration.ofMillis(millis)))
                  .count(name)
                  .topK(
                      name + "-top",
                      most,
                      r ->
                          new Item(
                              r.rank() + " " + r.key(),
                              r.value(),
                              r.window().end().toEpochMilli() - 1)));
      case Op.Bucketed(int from, Op.By by) ->
          new Keyed(
              grouped(flows.get(from), by, name)
                  .process(
                      name, () -> new Buckets(name), Buckets.slots(name), Buckets.counts(name)));
      case Op.ToTopic sink -> {
        to(flows.get(sink.from()), prefix + sink.topic());
        yield flows.get(sink.from());
      }
    };
  }

  private Flow from(Topology topology, Op.FromTopic source) {
    var topic = Kafka.topic(prefix + source.topic());
    Duration disorder = Duration.ofMillis(source.disorderMillis());
    return source.keyed()
        ? new Keyed(
            topology.from(
                topic
                    .key(Serdes.string())
                    .value(Serdes.record(Item.class))
                    .eventTime(item -> Instant.ofEpochMilli(item.at()), disorder)
                    .asBounded()))
        : new Plain(
            topology.from(
                topic
                    .value(Serdes.record(Item.class))
                    .eventTime(item -> Instant.ofEpochMilli(item.at()), disorder)
                    .asBounded()));
  }

  private static void to(Flow flow, String topic) {
    switch (flow) {
      case Keyed(var in) ->
          in.to(Kafka.topic(topic).key(Serdes.string()).value(Serdes.record(Item.class)));
      case Plain(var in) -> in.to(Kafka.topic(topic).value(Serdes.record(Item.class)));
    }
  }

  private static KeyedStream<String, Item> keyed(Flow flow) {
    return ((Keyed) flow).stream();
  }

  private static Grouped<String, Item> grouped(Flow flow, Op.By by, String name) {
    int modulo = by.modulo();
    if (!by.exchange()) {
      return keyed(flow).groupByKey();
    }
    return switch (flow) {
      case Keyed(var in) -> in.groupBy("by-" + name, item -> Op.By.key(item, modulo));
      case Plain(var in) -> in.groupBy("by-" + name, item -> Op.By.key(item, modulo));
    };
  }

  private static KeyedStream<String, Item> windowed(
      Grouped<String, Item> grouped, String name, int millis, boolean sums) {
    var windowed = grouped.window(tumbling(Duration.ofMillis(millis)));
    var table =
        sums
            ? windowed.aggregate(name, () -> 0L, (sum, item) -> sum + item.number())
            : windowed.count(name);
    return table.results(r -> new Item(r.key(), r.value(), r.window().end().toEpochMilli() - 1));
  }

  private static Item longer(Item item) {
    return new Item(item.key() + "+", item.number(), item.at());
  }
}
