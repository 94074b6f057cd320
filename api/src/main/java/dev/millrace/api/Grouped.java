package dev.millrace.api;

import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;

/// Records with equal keys together, in one task and in order. What is computed from them is kept
/// in a store of the given name.
public interface Grouped<K, V> {

  /// Splits the records of each key by their event time.
  Windowed<K, V> window(Windows windows);

  /// How many records each key has had.
  Table<K, Long> count(String name);

  /// All values of a key combined, in order; the first one stands for itself.
  Table<K, V> reduce(String name, Reducer<V> reducer);

  /// The latest value of each key: how the records of a topic that is not partitioned by the key,
  /// or those of a file, become a table.
  default Table<K, V> latest(String name) {
    return reduce(name, (_, value) -> value);
  }

  /// All values of a key folded, in order.
  <A> Table<K, A> aggregate(String name, Initial<A> initial, Folder<A, ? super V> folder);

  <A> Table<K, A> aggregate(
      String name, Initial<A> initial, Folder<A, ? super V> folder, Serde<A> serde);

  /// The same with what is known besides of the aggregates. If it says how a value is taken out
  /// again, a table's old values need not be kept.
  <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate);

  <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate, Serde<A> serde);

  /// Runs a processor, one instance a task; its results keep the key of the record or timer they
  /// come from.
  <R> KeyedStream<K, R> process(
      String name, ProcessorSupplier<K, V, R> processor, StoreSpec<?, ?>... stores);
}
