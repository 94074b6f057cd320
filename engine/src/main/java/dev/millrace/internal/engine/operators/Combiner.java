package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// How rows are aggregated before they are sent to the task of their key, so that fewer are sent:
/// those of a batch that have the same key and lie in the same slice of time become one, which is
/// [Counted].
///
/// What comes out is the same, as the aggregates of two sets of rows can be joined.
///
/// @param aggregation of the rows, one that merges
/// @param slices gives the start of the slice in which a time lies
/// @param times gives the time of an aggregate from the one it had and that of the row that came
/// @param aggregates the serde of their aggregates
/// @param declared the operator that is given what is sent, with [Aggregation#ofPartials]
/// @param conflated whether the operator tells of each row it is given, so that this is only
///   possible where its results are conflated
public record Combiner(
    Aggregation aggregation,
    LongUnaryOperator slices,
    LongBinaryOperator times,
    Serde<Object> aggregates,
    Declaration declared,
    boolean conflated) {

  /// For windows. Rows of a slice lie in the same windows, so each of these finds all of them late
  /// or none; the earliest tells by how much.
  ///
  /// @param results the serde of the aggregation's
  public static Combiner inWindows(
      Aggregation aggregation,
      AlignedWindows windows,
      Serde<Object> results,
      Declaration declared) {
    return new Combiner(
        aggregation, windows.slices(), Math::min, aggregation.format(results), declared, false);
  }

  /// For a table, whose changes have the time of the row that came last.
  ///
  /// @param results the serde of the aggregation's
  public static Combiner ofTable(
      Aggregation aggregation, Serde<Object> results, Declaration declared) {
    return new Combiner(
        aggregation, _ -> 0, (_, last) -> last, aggregation.format(results), declared, true);
  }

  /// The serde of what is sent.
  public Serde<Object> format() {
    return new Counted.Format(aggregates);
  }

  Combiner with(Parameters more) {
    return new Combiner(aggregation, slices, times, aggregates, declared.with(more), conflated);
  }

  Combiner delayed(long millis) {
    return new Combiner(
        aggregation, slices, times, aggregates, declared.delayed(millis), conflated);
  }
}
