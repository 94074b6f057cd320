package dev.millrace.sketches;

import dev.millrace.api.Aggregate;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;

/// Aggregates of a few kilobytes at most, however many values go into them, with the sketches of
/// Apache DataSketches. Two of them are joined, so overlapping windows and sessions keep no values.
///
/// Nothing in them is left to chance, and nothing depends on when they were written and read again:
/// the same values in the same order give the same bytes, and the same results. A distinct count
/// does not even depend on the order.
///
/// A value cannot be taken out of a sketch: behind results that may be taken back, all values are
/// kept.
public final class Sketches {
  private Sketches() {}

  /// How many different texts there are among an attribute of the values.
  ///
  /// ```java
  /// .aggregate("visitors", Sketches.distinct(View::user), DistinctCount.serde())
  /// ```
  public static <V> Aggregate<DistinctCount, V> distinct(Mapper<? super V, String> attribute) {
    return distinct(attribute, Serdes.string());
  }

  /// The same of an attribute of any type.
  ///
  /// @param serde whose bytes are compared
  /// @throws IllegalArgumentException if the serde can give several encodings of equal values
  public static <V, T> Aggregate<DistinctCount, V> distinct(
      Mapper<? super V, T> attribute, Serde<T> serde) {
    if (!serde.canonical()) {
      throw new IllegalArgumentException(
          "Distinct values are told apart by their bytes; '%s' does not promise equal bytes for equal values."
              .formatted(serde.id()));
    }
    return Aggregate.merging(
        DistinctCount::new,
        (count, value) -> count.add(attribute.map(value), serde),
        DistinctCount::merge);
  }

  /// How many different values several distinct counts have among them: those of a day, of the
  /// results of its hours. What occurs in several counts once.
  ///
  /// ```java
  /// .results(r -> r.value(), DistinctCount.serde())
  /// .groupByKey()
  /// .window(tumbling(ofDays(1)))
  /// .aggregate("visitors-of-day", Sketches.distinctOfAll(hour -> hour), DistinctCount.serde())
  /// ```
  ///
  /// @param count of a value; it stays as it is
  public static <V> Aggregate<DistinctCount, V> distinctOfAll(
      Mapper<? super V, DistinctCount> count) {
    return Aggregate.merging(
        DistinctCount::new, (all, value) -> all.merge(count.map(value)), DistinctCount::merge);
  }

  /// Which number a share of the values does not exceed: medians, 99th percentiles.
  ///
  /// ```java
  /// .aggregate("latency", Sketches.percentiles(Call::millis), Percentiles.serde())
  /// ```
  ///
  /// @param number of a value; one that is not a number, or beyond 1e290, is refused as bad input
  public static <V> Aggregate<Percentiles, V> percentiles(
      Mapper<? super V, ? extends Number> number) {
    return Aggregate.merging(
        Percentiles::new,
        (percentiles, value) -> percentiles.add(number.map(value).doubleValue()),
        Percentiles::merge);
  }

  /// The percentiles of all numbers of several others, such as a day's, of the results of its
  /// hours.
  ///
  /// @param percentiles of a value; they stay as they are
  public static <V> Aggregate<Percentiles, V> percentilesOfAll(
      Mapper<? super V, Percentiles> percentiles) {
    return Aggregate.merging(
        Percentiles::new, (all, value) -> all.merge(percentiles.map(value)), Percentiles::merge);
  }
}
