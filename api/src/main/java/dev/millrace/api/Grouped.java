package dev.millrace.api;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import java.time.Duration;

/// Records with equal keys together, in one task and in order. What is computed from them is kept
/// in a store of the given name.
public interface Grouped<K, V> {

  /// Says how the new keys are encoded, right behind [Stream#groupBy], where the key's type does
  /// not show it and [Topology#serde] has none for it.
  ///
  /// ```java
  /// clicks.groupBy("by-page", click -> click.page()).keyAs(pages)
  /// ```
  Grouped<K, V> keyAs(Serde<K> serde);

  /// The same records as a keyed stream, to be written, joined or merged: in the partition of the
  /// key they are grouped by, in the order in which the task gets them. Behind [Stream#groupBy] and
  /// [KeyedStream#groupBy] that is behind the exchange, which the plan shows.
  KeyedStream<K, V> stream();

  /// Splits the records of each key by their event time.
  Windowed<K, V> window(Windows windows);

  /// How many records each key has had.
  Table<K, Long> count(String name);

  /// All values of a key combined, in order; the first one stands for itself. The order is that in
  /// which they come; behind windows whose results are corrected, that of event time.
  Table<K, V> reduce(String name, Reducer<V> reducer);

  /// The latest value of each key: how the records of a topic that is not partitioned by the key,
  /// or those of a file, become a table.
  ///
  /// That is the one that came last; behind windows whose results are corrected, which come in any
  /// order, the one with the latest event time. See [With#asOf] for what a key had before.
  Table<K, V> latest(String name);

  /// All values of a key folded, in order; see [#reduce].
  <A> Table<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator);

  /// The same with what is known besides of the aggregates. If it says how a value is taken out
  /// again, a table's old values need not be kept.
  <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate);

  /// The records of each key, in order of event time, without those that are less than `within`
  /// behind one that was let through.
  ///
  /// A record waits until the watermark is behind it, so disorder up to what the source declares
  /// changes nothing; of records with equal times the first to come is the first. One that is late
  /// by less than `within` goes on if none that went on is as near, before or behind it; one that
  /// is later is counted as too late, and dropped. What went on is never taken back, so results
  /// that are corrected are refused; see [KeyedStream#withoutRetractions] for the ways out. A key
  /// is forgotten when the watermark is twice `within` behind it.
  KeyedStream<K, V> deduplicate(String name, Duration within);

  /// The same of the records of a key that agree in an attribute, such as an id.
  ///
  /// @param attribute a pure function; null is bad input
  <A> KeyedStream<K, V> deduplicate(
      String name, Duration within, Mapper<? super V, ? extends A> attribute);
}
