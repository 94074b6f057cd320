package dev.millrace.api;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;
import org.jspecify.annotations.Nullable;

/// Describes how values become one aggregate, and what else can be done with aggregates. The more
/// of it is known, the less has to be kept, and to be sent to the task of a key: aggregates that
/// can be merged are begun by the tasks that have the values.
///
/// ```java
/// Aggregate<Long, Order> sum =
///     Aggregate.invertible(
///         () -> 0L,
///         (total, order) -> total + order.amount(),
///         Long::sum,
///         (total, order) -> total - order.amount());
/// ```
///
/// @param initializer gives the start: a new object at each call
/// @param aggregator adds a value
/// @param merger merges the aggregates of two sets of values, of which the first set is the earlier
///   one; null if they cannot be merged
/// @param inverse removes a value again that was added before; null if that cannot be done
/// @param <A> the type of the aggregates
/// @param <V> the type of the values
public record Aggregate<A, V>(
    Initializer<A> initializer,
    Aggregator<A, ? super V> aggregator,
    @Nullable Reducer<A> merger,
    @Nullable Aggregator<A, ? super V> inverse) {

  /// Returns the description of aggregates to which values are only added.
  public static <A, V> Aggregate<A, V> of(
      Initializer<A> initializer, Aggregator<A, ? super V> aggregator) {
    return new Aggregate<>(initializer, aggregator, null, null);
  }

  /// Returns the description of aggregates that can be merged: a set, the largest values, a sketch.
  ///
  /// @param merger of two aggregates may change and return the first; it leaves the other as it is
  public static <A, V> Aggregate<A, V> merging(
      Initializer<A> initializer, Aggregator<A, ? super V> aggregator, Reducer<A> merger) {
    return new Aggregate<>(initializer, aggregator, merger, null);
  }

  /// Returns the description of aggregates that can be merged, and from which values are removed
  /// again: a sum, an average.
  ///
  /// @param merger of two aggregates may change and return the first; it leaves the other as it is
  /// @param inverse undoes what the aggregator did for an equal value, whatever came between
  public static <A, V> Aggregate<A, V> invertible(
      Initializer<A> initializer,
      Aggregator<A, ? super V> aggregator,
      Reducer<A> merger,
      Aggregator<A, ? super V> inverse) {
    return new Aggregate<>(initializer, aggregator, merger, inverse);
  }
}
