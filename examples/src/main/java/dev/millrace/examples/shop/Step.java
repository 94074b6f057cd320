package dev.millrace.examples.shop;

import java.time.Instant;

/// Something that happened to an order.
record Step(Kind kind, Instant at, long cents) {
  enum Kind {
    PLACED,
    PAID,
    SHIPPED
  }

  static Step placed(Order order) {
    return new Step(Kind.PLACED, order.at(), order.cents());
  }

  static Step paid(Payment payment) {
    return new Step(Kind.PAID, payment.at(), payment.cents());
  }

  static Step shipped(Shipment shipment) {
    return new Step(Kind.SHIPPED, shipment.at(), 0);
  }
}
