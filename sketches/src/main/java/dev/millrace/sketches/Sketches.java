package dev.millrace.sketches;

import dev.millrace.api.Aggregate;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;

/// Aggregates of a few kilobytes at most, however many values they take, with the sketches of
/// Apache DataSketches. They can be merged, so overlapping windows and sessions keep no values.
///
/// They are deterministic, and do not depend on when they were written and read again: the same
/// values in the same order give the same bytes and the same results. A distinct count does not
/// even depend on the order.
///
/// A value cannot be removed from a sketch, so if the input may be retracted, all values are kept.
public final class Sketches {
  private Sketches() {}

  /// Returns an aggregate that counts the distinct texts of an attribute.
  ///
  /// ```java
  /// .aggregate("visitors", Sketches.distinct(View::user), DistinctCount.serde())
  /// ```
  public static <V> Aggregate<DistinctCount, V> distinct(Mapper<? super V, String> attribute) {
    return distinct(attribute, Serdes.string());
  }

  /// Returns an aggregate that counts the distinct values of an attribute of any type.
  ///
  /// @param serde whose bytes are compared
  /// @throws IllegalArgumentException if the serde can give several encodings of equal values
  public static <V, T> Aggregate<DistinctCount, V> distinct(
      Mapper<? super V, T> attribute, Serde<T> serde) {
    if (!serde.canonical()) {
      throw new IllegalArgumentException(
          "Distinct values are distinguished by their bytes, but serde '%s' does not promise equal bytes for equal values."
              .formatted(serde.id()));
    }
    return Aggregate.merging(
        DistinctCount::new,
        (count, value) -> count.add(attribute.map(value), serde),
        DistinctCount::merge);
  }

  /// Returns an aggregate that merges distinct counts, such as those of a day's hours to that of
  /// the day. A value that occurs in several of them counts once.
  ///
  /// ```java
  /// .results(r -> r.value(), DistinctCount.serde())
  /// .groupByKey()
  /// .window(tumbling(ofDays(1)))
  /// .aggregate("visitors-of-day", Sketches.distinctOfAll(hour -> hour), DistinctCount.serde())
  /// ```
  ///
  /// @param count returns the distinct count of a value, which is not changed
  public static <V> Aggregate<DistinctCount, V> distinctOfAll(
      Mapper<? super V, DistinctCount> count) {
    return Aggregate.merging(
        DistinctCount::new, (all, value) -> all.merge(count.map(value)), DistinctCount::merge);
  }

  /// Returns an aggregate of percentiles of a number, such as the median or the 99th percentile.
  ///
  /// ```java
  /// .aggregate("latency", Sketches.percentiles(Call::millis), Percentiles.serde())
  /// ```
  ///
  /// @param number returns the number of a value; NaN, or a number beyond 1e290, is bad input
  public static <V> Aggregate<Percentiles, V> percentiles(
      Mapper<? super V, ? extends Number> number) {
    return Aggregate.merging(
        Percentiles::new,
        (percentiles, value) -> percentiles.add(number.map(value).doubleValue()),
        Percentiles::merge);
  }

  /// Returns an aggregate that merges percentiles, such as those of a day's hours to those of the
  /// day.
  ///
  /// @param percentiles returns the percentiles of a value, which are not changed
  public static <V> Aggregate<Percentiles, V> percentilesOfAll(
      Mapper<? super V, Percentiles> percentiles) {
    return Aggregate.merging(
        Percentiles::new, (all, value) -> all.merge(percentiles.map(value)), Percentiles::merge);
  }
}
