package dev.millrace.examples.shop;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/// A customer ordered something.
public record Order(String id, String customer, List<Line> lines, Instant at) {
  /// Some of a product.
  ///
  /// @param cents for all of them together
  public record Line(String product, int quantity, long cents) {}

  /// A line with a name of its own, for whoever packs the order.
  public record Numbered(String id, String product, int quantity) {}

  /// This order, if it is one.
  Order checked() {
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("Order " + id + " has no lines.");
    }
    for (Line line : lines) {
      if (line.quantity() < 1 || line.cents() < 0) {
        throw new IllegalArgumentException("Order " + id + " has the line " + line);
      }
    }
    return this;
  }

  long cents() {
    return lines.stream().mapToLong(Line::cents).sum();
  }

  List<Numbered> numbered() {
    return IntStream.range(0, lines.size())
        .mapToObj(
            i -> new Numbered(id + "#" + (i + 1), lines.get(i).product(), lines.get(i).quantity()))
        .toList();
  }
}
