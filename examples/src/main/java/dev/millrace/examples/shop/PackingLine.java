package dev.millrace.examples.shop;

import org.jspecify.annotations.Nullable;

/// A line of an order, and where its product is now.
///
/// @param name null if the product is not sold any more
public record PackingLine(
    String product, int quantity, @Nullable String name, @Nullable String shelf) {
  static PackingLine of(Order.Numbered line, @Nullable Product product) {
    return new PackingLine(
        line.product(),
        line.quantity(),
        product == null ? null : product.name(),
        product == null ? null : product.shelf());
  }
}
