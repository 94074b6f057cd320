package dev.millrace.examples.shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How far an order has come. Its steps may be heard of in any order.
///
/// @param steps how many were heard of
public record OrderState(
    Status status,
    long due,
    long paid,
    @Nullable Instant placedAt,
    @Nullable Instant paidAt,
    @Nullable Instant shippedAt,
    int steps) {
  /// What of it comes last.
  public enum Status {
    UNKNOWN,
    PLACED,
    PAID,
    SHIPPED
  }

  static final OrderState NONE = new OrderState(Status.UNKNOWN, 0, 0, null, null, null, 0);

  OrderState with(Step step) {
    return switch (step.kind()) {
      case PLACED -> of(step.cents(), paid, step.at(), paidAt, shippedAt, steps + 1);
      case PAID -> of(due, step.cents(), placedAt, step.at(), shippedAt, steps + 1);
      case SHIPPED -> of(due, paid, placedAt, paidAt, step.at(), steps + 1);
    };
  }

  private static OrderState of(
      long due,
      long paid,
      @Nullable Instant placedAt,
      @Nullable Instant paidAt,
      @Nullable Instant shippedAt,
      int steps) {
    Status status =
        shippedAt != null ? Status.SHIPPED : paidAt != null ? Status.PAID : Status.PLACED;
    return new OrderState(status, due, paid, placedAt, paidAt, shippedAt, steps);
  }
}
