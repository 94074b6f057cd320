package dev.millrace.api;

import dev.millrace.api.function.Action;
import dev.millrace.api.function.Condition;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;

/// A stream whose records have a key that decides their partition: records of one key are in one
/// task, in order. See [Stream] for what holds of every stream.
public interface KeyedStream<K, V> {

  /// The records for which the condition holds.
  KeyedStream<K, V> filter(Condition<? super V> condition);

  /// A record for each record, under the same key.
  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper);

  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper, Serde<R> serde);

  /// A record for each record, without a key.
  <R> Stream<R> map(Mapper<? super V, ? extends R> mapper);

  <R> Stream<R> map(Mapper<? super V, ? extends R> mapper, Serde<R> serde);

  /// A record for each element, in its order, without a key.
  <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper);

  <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper, Serde<R> serde);

  /// The same records, each shown to the action on its way.
  KeyedStream<K, V> peek(Action<? super V> action);

  /// The records of both streams, which must have as many partitions.
  KeyedStream<K, V> merge(KeyedStream<K, V> other);

  /// Groups by the key the records have; no exchange is needed.
  Grouped<K, V> groupByKey();

  /// Brings the records with equal new keys together, through an exchange of that name.
  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key);

  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key, Serde<L> keySerde);

  /// The same records with all that is known of each. A [Record] is valid until the next operator
  /// returns.
  Stream<Record<K, V>> records();

  /// Runs a processor, one instance a task; its results keep the key of the record or timer they
  /// come from.
  <R> KeyedStream<K, R> process(
      String name, ProcessorSupplier<K, V, R> processor, StoreSpec<?, ?>... stores);

  /// Writes every value; key bytes as they are.
  void to(Sink<V> sink);

  /// Writes every record; the key decides the partition.
  void to(KeyedSink<K, V> sink);
}
