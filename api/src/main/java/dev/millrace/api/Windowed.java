package dev.millrace.api;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;

/// The records of each key, split by event time.
public interface Windowed<K, V> {

  /// How many records each key has in each window.
  WindowedTable<K, Long> count(String name);

  /// The values of a key in a window combined, in the order they came; behind results that may be
  /// corrected, in that of their event times.
  WindowedTable<K, V> reduce(String name, Reducer<V> reducer);

  /// The values of a key in a window folded, in the order of [#reduce].
  <A> WindowedTable<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator);

  /// The same with what is known besides of the aggregates: how two of them are joined, which
  /// sessions and overlapping windows need to keep no values, and how a value is taken out again,
  /// which windows behind corrected results need for that.
  <A> WindowedTable<K, A> aggregate(String name, Aggregate<A, V> aggregate);

  /// All values of a key in a window together, handed over when the window closes, and again for
  /// each result that takes the place of one before: for what cannot be folded, such as a median.
  /// The function is pure. Every value is kept as long as the window, so prefer to fold what folds;
  /// all of one key and window must fit into memory.
  <R> WindowedTable<K, R> apply(String name, WindowFunction<V, ? extends R> function);

  /// Says what becomes of records that come too late for all their windows, besides being counted:
  /// they are a stream of their own.
  ///
  /// ```java
  /// .window(tumbling(ofMinutes(1)))
  /// .tooLate(late -> late.to(lateViews))
  /// ```
  Windowed<K, V> tooLate(Consumer<KeyedStream<K, V>> then);
}
