package dev.millrace.examples.shop;

import static dev.millrace.api.Windows.sessions;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.stream;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;

/// What a shop wants to know of its orders, payments, shipments and products: which orders were
/// paid for in time, how far each has come, what sells best, when customers come, and where what is
/// to be packed lies.
public final class Shop implements StreamApplication {
  /// How far the records of a topic may be behind each other in time and count as in order.
  private static final Duration DISORDER = ofSeconds(5);

  /// How late a record may be, behind that, and still correct what was said without it.
  private static final Duration LATENESS = ofHours(2);

  /// How long the bank may go on saying that an order was paid for.
  private static final Duration REPEATED = ofHours(6);

  @Override
  public void describe(Topology topology) {
    var orders = topology.from(input("orders", Order.class, Order::at)).mapValues(Order::checked);
    var payments =
        topology
            .from(input("payments", Payment.class, Payment::at))
            .mapValues(Payment::checked)
            .groupByKey()
            .deduplicate("payments-once", REPEATED, Payment::id);
    var shipments = topology.from(input("shipments", Shipment.class, Shipment::at));
    var products = topology.table("products", input("products", Product.class, Product::since));

    states(orders, payments, shipments);
    revenue(paid(orders, payments), products);
    visits(orders);
    packing(orders, products);
  }

  /// How far each order has come: a table, of which the topic has every change.
  private static void states(
      KeyedStream<String, Order> orders,
      KeyedStream<String, Payment> payments,
      KeyedStream<String, Shipment> shipments) {
    orders
        .mapValues(Step::placed)
        .merge(payments.mapValues(Step::paid))
        .merge(shipments.mapValues(Step::shipped))
        .groupByKey()
        .aggregate("order-states", () -> OrderState.NONE, OrderState::with)
        .to(
            Kafka.sink("order-states")
                .compacted()
                .key(Serdes.string())
                .value(json(OrderState.class)));
  }

  /// The orders that were paid for within an hour. An order that was not is in a table of its own,
  /// until its payment turns out to be late only on its way.
  private static KeyedStream<String, PaidOrder> paid(
      KeyedStream<String, Order> orders, KeyedStream<String, Payment> payments) {
    var outcomes =
        orders
            .leftJoin(
                "paid-in-time",
                stream(payments, Within.of(ZERO, ofHours(1)).allowedLateness(LATENESS)),
                Outcome::new)
            .branch(Outcome::isPaid);
    outcomes
        .rest()
        .mapValues(Outcome::order)
        .to(Kafka.sink("unpaid-orders").compacted().key(Serdes.string()).value(json(Order.class)));
    var paid = outcomes.matching().mapValues(Outcome::paid);
    paid.to(output("paid-orders", PaidOrder.class));
    return paid;
  }

  /// What every product brings in ten minutes, which three brought most, and what every category
  /// brings in an hour. A sale counts when it was paid for, and for the category that its product
  /// had then.
  private static void revenue(
      KeyedStream<String, PaidOrder> paid, Table<String, Product> products) {
    var sales =
        paid.flatMap(each -> each.order().lines())
            .map(Sale::of)
            .groupBy("by-product", Sale::product);

    var revenue =
        sales
            .window(tumbling(ofMinutes(10)).allowedLateness(LATENESS))
            .aggregate("revenue", Revenue.ofSales());
    revenue.results(Takings::of).to(output("revenue", Takings.class));
    revenue
        .topK(
            "best",
            3,
            r -> new BestSeller(r.window().start(), r.rank(), r.key(), r.value().cents()))
        .to(Kafka.sink("best-sellers").value(json(BestSeller.class)).withRetractions());

    sales.stream()
        .leftJoin("sold-as", asOf(products, LATENESS), Sale::as)
        .groupBy("by-category", Sale::category)
        .window(tumbling(ofHours(1)).allowedLateness(LATENESS))
        .aggregate("revenue-of-categories", Revenue.ofSales())
        .results(Takings::of)
        .to(output("category-revenue", Takings.class));
  }

  /// Orders of a customer with less than half an hour between them are one visit. Where an order
  /// that is late makes one visit of two, both are taken back.
  private static void visits(KeyedStream<String, Order> orders) {
    orders
        .groupBy("by-customer", Order::customer)
        .window(sessions(ofMinutes(30)).allowedLateness(LATENESS))
        .tooLate(late -> late.to(output("late-orders", Order.class)))
        .aggregate("visits", Visit.Basket.ofOrders())
        .results(Visit::of)
        .to(output("customer-visits", Visit.class).withRetractions());
  }

  /// Every line of an order with the name and the shelf that its product has now.
  private static void packing(KeyedStream<String, Order> orders, Table<String, Product> products) {
    orders
        .flatMap(Order::numbered)
        .groupBy("by-line", Order.Numbered::id)
        .latest("order-lines")
        .leftJoin("packing", products, Order.Numbered::product, PackingLine::of)
        .to(
            Kafka.sink("packing-list")
                .compacted()
                .key(Serdes.string())
                .value(json(PackingLine.class)));
  }

  private static <V> KafkaKeyedSource<String, V> input(
      String topic, Class<V> type, EventTime<V> time) {
    return Kafka.source(topic)
        .key(Serdes.string())
        .value(json(type))
        .eventTime(time, DISORDER)
        .startAtEarliest();
  }

  private static <V> KafkaKeyedSink<String, V> output(String topic, Class<V> type) {
    return Kafka.sink(topic).key(Serdes.string()).value(json(type));
  }

  public static void main(String[] args) {
    Millrace.run(new Shop(), args);
  }
}
