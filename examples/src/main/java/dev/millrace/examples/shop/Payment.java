package dev.millrace.examples.shop;

import java.time.Instant;

/// An order was paid for, as the bank says; it may say so several times.
public record Payment(String id, long cents, Instant at) {
  /// This payment, if it is one.
  Payment checked() {
    if (cents < 0) {
      throw new IllegalArgumentException("Payment " + id + " is of " + cents + " cents.");
    }
    return this;
  }
}
