package dev.millrace.examples.guide;

import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.broadcast;
import static dev.millrace.api.With.stream;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;

/// What the guide to tables and joins shows.
public final class TablesGuide implements StreamApplication {
  /// A customer ordered something.
  public record Order(String customer, String product, String currency, long cents, Instant at) {}

  /// A customer paid.
  public record Payment(String customer, long cents, Instant at) {}

  /// What a product costs, and who makes it.
  public record Product(String name, String maker, long cents) {}

  /// Who makes products.
  public record Maker(String country) {}

  @Override
  public void describe(Topology topology) {
    var orders =
        topology.from(
            Kafka.source("orders")
                .key(Serdes.string())
                .value(json(Order.class))
                .eventTime(Order::at));
    var payments =
        topology.from(
            Kafka.source("payments")
                .key(Serdes.string())
                .value(json(Payment.class))
                .eventTime(Payment::at));
    var products =
        topology.table(
            "products", Kafka.source("products").key(Serdes.string()).value(json(Product.class)));
    var makers =
        topology.table(
            "makers", Kafka.source("makers").key(Serdes.string()).value(json(Maker.class)));

    var ordered =
        orders.groupByKey().aggregate("ordered", () -> 0L, (sum, order) -> sum + order.cents());
    var paid =
        payments.groupByKey().aggregate("paid", () -> 0L, (sum, payment) -> sum + payment.cents());

    ordered.conflated().to(Kafka.sink("ordered").key(Serdes.string()).value(Serdes.longs()));

    orders.groupBy("by-product", Order::product).latest("last-order-of-a-product");

    var open =
        ordered.leftJoin("open", paid, (out, in) -> out - (in == null ? 0 : in)).as(Serdes.longs());
    open.filter(cents -> cents > 0)
        .to(Kafka.sink("open").key(Serdes.string()).value(Serdes.longs()));

    open.groupBy("all", cents -> cents > 0 ? "owing" : "even")
        .count("customers")
        .to(Kafka.sink("customers").key(Serdes.string()).value(Serdes.longs()));

    products
        .join("countries", makers, Product::maker, (product, maker) -> maker.country())
        .as(Serdes.string())
        .to(Kafka.sink("countries").key(Serdes.string()).value(Serdes.string()));

    streams(topology, orders, payments);
  }

  private static void streams(
      Topology topology, KeyedStream<String, Order> orders, KeyedStream<String, Payment> payments) {
    var returns =
        topology.from(
            Kafka.source("returns")
                .key(Serdes.string())
                .value(json(Order.class))
                .eventTime(Order::at));

    orders
        .leftJoin(
            "prompt",
            stream(payments, Within.of(ofMinutes(0), ofMinutes(10))),
            (order, payment) -> payment == null ? "late" : "prompt")
        .as(Serdes.string())
        .to(Kafka.sink("prompt").key(Serdes.string()).value(Serdes.string()));

    var rates =
        topology.broadcastTable(
            "rates", Kafka.source("rates").key(Serdes.string()).value(Serdes.doubles()));

    orders
        .join("priced", broadcast(rates, Order::currency), (order, rate) -> order.cents() * rate)
        .as(Serdes.doubles())
        .to(Kafka.sink("priced").key(Serdes.string()).value(Serdes.doubles()));

    orders
        .coGroup(payments)
        .and(returns)
        .apply(
            "balance-of-the-day",
            tumbling(ofDays(1)),
            (_, sides) ->
                sides.of(orders).stream().mapToLong(Order::cents).sum()
                    - sides.of(payments).stream().mapToLong(Payment::cents).sum()
                    - sides.of(returns).stream().mapToLong(Order::cents).sum())
        .as(Serdes.longs())
        .results(r -> r.value())
        .to(Kafka.sink("balance-of-the-day").key(Serdes.string()).value(Serdes.longs()));

    var ordersOfTheDay = orders.groupByKey().window(tumbling(ofDays(1))).count("orders-of-the-day");
    var returnsOfTheDay =
        returns.groupByKey().window(tumbling(ofDays(1))).count("returns-of-the-day");
    ordersOfTheDay
        .leftJoin(
            "returned",
            returnsOfTheDay,
            (ordered, returned) -> (returned == null ? 0.0 : returned) / ordered)
        .results(share -> share.value())
        .to(Kafka.sink("returned").key(Serdes.string()).value(Serdes.doubles()));
  }
}
