package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.table;
import static dev.millrace.json.Json.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Share;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// What the guide to streams shows.
public final class StreamsGuide implements StreamApplication {
  /// Somebody ordered something.
  ///
  /// @param id the same when it is sent again
  public record Order(String id, String shop, String country, long cents, Instant at) {}

  /// A place in a ranking.
  public record Best(Instant from, int rank, String shop, long cents) {}

  /// A shop, as one country sees it.
  public record Market(String country, String shop) {}

  /// An order of a customer, as the site shows it.
  public record Shown(String name, String order, long millis) {}

  @Override
  public void describe(Topology topology) {
    var received =
        topology.from(
            Kafka.source("orders")
                .key(Serdes.string())
                .value(json(Order.class))
                .eventTime(Order::at, ofSeconds(5)));

    var orders = received.groupByKey().deduplicate("once", ofMinutes(10), Order::id);
    orders.to(Kafka.sink("orders-once").key(Serdes.string()).value(json(Order.class)));

    var large = orders.branch(order -> order.cents() > 100_000);
    var foreign = large.rest().branch(order -> !order.country().equals("CH"));
    large.matching().to(Kafka.sink("large").key(Serdes.string()).value(json(Order.class)));
    foreign.matching().to(Kafka.sink("foreign").key(Serdes.string()).value(json(Order.class)));
    foreign.rest().to(Kafka.sink("usual").key(Serdes.string()).value(json(Order.class)));

    chosen(orders);
    orders
        .sample(0.01)
        .to(Kafka.sink("some-customers").key(Serdes.string()).value(json(Order.class)));
    orders
        .sample(0.1, Order::shop)
        .to(Kafka.sink("some-shops").key(Serdes.string()).value(json(Order.class)));

    Share tenth = Share.of(0.1);
    var shops = orders.branch(order -> tenth.holds(order.shop()));
    shops.rest().to(Kafka.sink("other-shops").key(Serdes.string()).value(json(Order.class)));

    var byShop = orders.groupBy("by-shop", Order::shop);
    byShop.stream().to(Kafka.sink("orders-by-shop").key(Serdes.string()).value(json(Order.class)));

    byShop
        .window(tumbling(ofHours(1)))
        .aggregate("sales", () -> 0L, (sum, order) -> sum + order.cents())
        .topK("best", 3, r -> new Best(r.window().start(), r.rank(), r.key(), r.value()))
        .to(Kafka.sink("best").value(json(Best.class)));

    orders
        .groupBy("by-market", order -> new Market(order.country(), order.shop()))
        .window(tumbling(ofHours(1)))
        .aggregate("sales-by-market", () -> 0L, (sum, order) -> sum + order.cents())
        .topK(
            "best-of-country",
            3,
            r -> r.key().country(),
            r -> new Best(r.window().start(), r.rank(), r.key().shop(), r.value()))
        .to(Kafka.sink("best-of-country").key(Serdes.string()).value(json(Best.class)));

    records(topology, received);
    deletions(topology);
    several(topology);
  }

  private static void chosen(KeyedStream<String, Order> orders) {
    orders.to(
        order -> "orders-" + order.country().toLowerCase(Locale.ROOT),
        Kafka.sinks("orders-ch", "orders-fr").key(Serdes.string()).value(json(Order.class)));

    orders.to(
        order -> "orders-of-" + order.shop(),
        Kafka.sinksUnder("orders-of-").partitions(4).key(Serdes.string()).value(json(Order.class)));
  }

  private static void several(Topology topology) {
    var sent =
        topology.from(
            Kafka.sources("sent-by-air", "sent-by-sea")
                .key(Serdes.string())
                .value(Serdes.string())
                .startAtEarliest());
    sent.groupByKey()
        .count("sent")
        .to(Kafka.sink("sent-to").key(Serdes.string()).value(Serdes.longs()));
    sent.records()
        .map(record -> record.topic() + " " + record.value())
        .to(Kafka.sink("sent").value(Serdes.string()));
  }

  private static void records(Topology topology, KeyedStream<String, Order> received) {
    var customers =
        topology.table(
            "customers", Kafka.source("customers").key(Serdes.string()).value(Serdes.string()));

    var records = received.records();
    records
        .filter(record -> record.header("test") == null)
        .mapValues(Record::value)
        .to(Kafka.sink("real").key(Serdes.string()).value(json(Order.class)));
    records
        .join(
            "shown",
            table(customers),
            (record, name) -> new Shown(name, record.value().id(), record.timestamp()))
        .to(Kafka.sink("shown").key(Serdes.string()).value(json(Shown.class)));

    received.to(
        Kafka.sink("orders-by-country")
            .key(Serdes.string())
            .value(json(Order.class))
            .timestamp(Order::at)
            .headers((record, headers) -> {
              headers.remove("test");
              headers.add("shop", record.value().shop().getBytes(UTF_8));
            })
            .key(Order::country));
  }

  private static void deletions(Topology topology) {
    var addresses =
        topology.from(
            Kafka.source("addresses").key(Serdes.string()).value(Serdes.string()).withDeletions());
    addresses
        .mapValues(address -> address.filter(text -> !text.isBlank()))
        .to(Kafka.sink("known").key(Serdes.string()).value(Serdes.string()).withDeletions());
    addresses
        .filter(Optional::isEmpty)
        .mapValues(_ -> "forget")
        .to(Kafka.sink("requests").key(Serdes.string()).value(Serdes.string()));
  }
}
