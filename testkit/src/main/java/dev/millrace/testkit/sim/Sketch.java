package dev.millrace.testkit.sim;

import dev.millrace.testkit.KeyPool;
import java.util.List;

/// A topology as it was drawn.
///
/// @param tickMillis how far the ticks are apart; 0 if there are none
/// @param keys of the items
record Sketch(List<Known> operators, long tickMillis, Era era, KeyPool keys) {

  /// An operator and what is known of it.
  record Known(Op op, Traits traits) {}

  List<Op> ops() {
    return operators.stream().map(Known::op).toList();
  }
}
