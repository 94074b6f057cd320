package dev.millrace.examples.shop;

import org.jspecify.annotations.Nullable;

/// Some of a product was sold.
///
/// @param category that of the product when it was sold
record Sale(String product, String category, long units, long cents) {
  private static final String UNKNOWN = "unknown";

  static Sale of(Order.Line line) {
    return new Sale(line.product(), UNKNOWN, line.quantity(), line.cents());
  }

  Sale as(@Nullable Product then) {
    return new Sale(product, then == null ? UNKNOWN : then.category(), units, cents);
  }
}
