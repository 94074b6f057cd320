package dev.millrace.examples.shop;

import dev.millrace.api.Aggregate;
import dev.millrace.api.WindowResult;
import java.time.Instant;

/// Orders that a customer placed one soon after the other.
public record Visit(String customer, Instant from, Instant to, long orders, long cents) {
  /// What is counted of it.
  record Basket(long orders, long cents) {
    private static final Basket NONE = new Basket(0, 0);

    static Aggregate<Basket, Order> ofOrders() {
      return Aggregate.merging(
          () -> NONE, (basket, order) -> basket.plus(new Basket(1, order.cents())), Basket::plus);
    }

    private Basket plus(Basket other) {
      return new Basket(orders + other.orders, cents + other.cents);
    }
  }

  static Visit of(WindowResult<String, Basket> result) {
    return new Visit(
        result.key(),
        result.window().start(),
        result.window().end(),
        result.value().orders(),
        result.value().cents());
  }
}
