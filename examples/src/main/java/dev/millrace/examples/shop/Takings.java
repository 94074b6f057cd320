package dev.millrace.examples.shop;

import dev.millrace.api.WindowResult;
import java.time.Instant;

/// What was sold of a product or a category in a window.
///
/// @param from the start of the window
public record Takings(String of, Instant from, long units, long cents) {
  static Takings of(WindowResult<String, Revenue> result) {
    Revenue revenue = result.value();
    return new Takings(result.key(), result.window().start(), revenue.units(), revenue.cents());
  }
}
