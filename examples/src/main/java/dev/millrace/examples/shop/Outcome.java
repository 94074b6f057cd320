package dev.millrace.examples.shop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An order, and its payment if that came in time.
record Outcome(Order order, @Nullable Payment payment) {
  boolean isPaid() {
    return payment != null;
  }

  PaidOrder paid() {
    return new PaidOrder(order, Objects.requireNonNull(payment));
  }
}
