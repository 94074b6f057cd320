package dev.millrace.examples.shop;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Draws what happens in the shop: what customers, the bank and the warehouse write, in the order
/// in which it reaches the topics. The same seed gives the same.
///
/// Most records are some seconds behind each other, and some are minutes late. The bank says some
/// things several times. Products get other shelves and categories, and go out of sale for a while.
/// Now and then a record cannot be processed, or an order is hours late, as of a till that was
/// offline.
public final class Traffic {
  private static final int PRODUCTS = 40;
  private static final List<String> CATEGORIES = List.of("books", "games", "tea", "tools");
  private static final List<String> CARRIERS = List.of("bicycle", "van", "rail");

  /// From when on something may be hours late, so that it is certain to be.
  private static final Duration CALM = Duration.ofHours(2);

  /// A record for one of the topics.
  ///
  /// @param value null to delete the key
  /// @param at when it happened
  /// @param arrives when it reaches the topic
  public record Sent(
      String topic, String key, @Nullable String value, Instant at, Instant arrives) {}

  private record Waiting(Sent sent, long number) {}

  private final Random random;
  private final Instant start;
  private final String name;
  private final int betweenMillis;
  private final int customers;
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(
          Comparator.comparing((Waiting each) -> each.sent().arrives())
              .thenComparingLong(Waiting::number));
  private final Instant[] changed = new Instant[PRODUCTS];
  private Instant now;
  private long drawn;
  private long orders;

  /// @param name what the ids of its orders begin with
  /// @param between how much time lies between two orders, in the mean
  public Traffic(long seed, String name, Instant start, Duration between) {
    this.start = start;
    this.name = name;
    random = new Random(seed);
    betweenMillis = (int) between.toMillis();
    // A customer comes about every half hour.
    customers = Math.max(10, (int) (Duration.ofMinutes(30).toMillis() / betweenMillis));
    now = start;
    for (int product = 0; product < PRODUCTS; product++) {
      changed[product] = start.minusSeconds(60);
      product(product, Duration.ZERO);
    }
  }

  /// The record that comes next.
  public Sent next() {
    Waiting first = waiting.peek();
    while (first == null || first.sent().arrives().isAfter(now)) {
      go();
      first = waiting.peek();
    }
    waiting.remove();
    return first.sent();
  }

  /// Goes on to the next order.
  private void go() {
    now = now.plusMillis(1 + below(2 * betweenMillis));
    // Every product changes about once an hour.
    for (int product = 0; product < PRODUCTS; product++) {
      if (chance((double) betweenMillis / Duration.ofHours(1).toMillis())) {
        product(product, onTheWay());
      }
    }
    if (chance(0.01)) {
      bad();
    }
    if (chance(0.015) && now.isAfter(start.plus(CALM))) {
      Order order = order(now.minus(Duration.ofMinutes(360 + below(180))));
      send("orders", order.id(), order, order.at(), now);
    }
    Order order = order(now);
    send("orders", order.id(), order, now, now.plus(onTheWay()));
    if (chance(0.9)) {
      pay(order);
    }
  }

  private Order order(Instant at) {
    List<Order.Line> lines = new ArrayList<>();
    for (int i = 1 + below(4); i > 0; i--) {
      int quantity = 1 + below(3);
      lines.add(
          new Order.Line(product(below(PRODUCTS)), quantity, quantity * (100L + below(5000))));
    }
    return new Order(name + orders++, "c" + below(customers), lines, at);
  }

  private static String product(int number) {
    return "p" + number;
  }

  private void pay(Order order) {
    Instant at = order.at().plusMillis(untilPaid());
    Payment payment = new Payment("b" + order.id(), order.cents(), at);
    Instant arrives = at.plus(onTheWay());
    send("payments", order.id(), payment, at, arrives);
    while (chance(0.15)) {
      arrives = arrives.plusMillis(1 + below(300_000));
      send("payments", order.id(), payment, at, arrives);
    }
    if (chance(0.8)) {
      Instant left = at.plusSeconds(600 + below(10_000));
      Shipment shipment = new Shipment(CARRIERS.get(below(CARRIERS.size())), left);
      send("shipments", order.id(), shipment, left, left.plus(onTheWay()));
    }
  }

  /// Most pay within the hour, some at its very end or just behind it, and some later.
  private int untilPaid() {
    int hour = 3_600_000;
    return switch (below(30)) {
      case 0 -> hour + below(2);
      case 1, 2, 3 -> hour + below(hour);
      default -> 30_000 + below(hour - 30_000);
    };
  }

  private void product(int number, Duration onTheWay) {
    // No two changes of a product are of the same time.
    Instant since = changed[number].plusMillis(1);
    since = since.isBefore(now) ? now : since;
    changed[number] = since;
    String category = CATEGORIES.get((number + below(2)) % CATEGORIES.size());
    Product product = new Product("Product " + number, category, "shelf " + below(50), since);
    boolean sold = since.equals(start) || chance(0.9);
    send("products", product(number), sold ? product : null, since, since.plus(onTheWay));
  }

  /// Something that nobody can process.
  private void bad() {
    String key = "bad" + drawn;
    switch (below(4)) {
      case 0 -> send("orders", key, new Order(key, "c0", List.of(), now), now, now);
      case 1 -> {
        Order.Line line = new Order.Line(product(0), 0, 100);
        send("orders", key, new Order(key, "c0", List.of(line), now), now, now);
      }
      case 2 -> send("payments", key, new Payment(key, -1, now), now, now);
      default -> add(new Sent("orders", key, "no order at all", now, now));
    }
  }

  /// How long a record takes: some seconds, or minutes.
  private Duration onTheWay() {
    return Duration.ofMillis(chance(0.05) ? 20_000 + below(2_380_000) : below(4_000));
  }

  private void send(String topic, String key, @Nullable Object value, Instant at, Instant arrives) {
    add(new Sent(topic, key, value == null ? null : text(value), at, arrives));
  }

  private void add(Sent sent) {
    waiting.add(new Waiting(sent, drawn++));
  }

  /// A value as it is in a topic.
  @SuppressWarnings("unchecked") // its own class
  private static <T> String text(T value) {
    BytesWriter out = new BytesWriter();
    Json.json((Class<T>) value.getClass()).write(value, out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }
}
