package dev.millrace.benchmarks.report;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// What several runs gave.
///
/// @param values in ascending order, at least one
public record Sample(List<Double> values) {
  public Sample {
    values = values.stream().sorted().toList();
  }

  /// A number of each run.
  public static <T> Sample of(List<T> runs, ToDoubleFunction<T> value) {
    return new Sample(runs.stream().map(value::applyAsDouble).toList());
  }

  /// A number of each pair of runs.
  public static <T> Sample ofPairs(List<T> ones, List<T> others, ToDoubleBiFunction<T, T> value) {
    return new Sample(
        IntStream.range(0, ones.size())
            .mapToObj(i -> value.applyAsDouble(ones.get(i), others.get(i)))
            .toList());
  }

  /// The one in the middle, or the mean of the two there.
  public double median() {
    int size = values.size();
    return (values.get((size - 1) / 2) + values.get(size / 2)) / 2;
  }

  public double least() {
    return values.getFirst();
  }

  public double most() {
    return values.getLast();
  }
}
