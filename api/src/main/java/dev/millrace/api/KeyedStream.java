package dev.millrace.api;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stream whose records have a key that decides their partition: records of one key are in one
/// task, in order. See [Stream] for what holds of every stream.
///
/// Where the sides of a join have another number of partitions, or keys in another format, one of
/// them goes through an exchange that is called after the join, `<name>-left` or `<name>-right`: of
/// a stream and a table the stream, otherwise that with fewer partitions, or that on the right if
/// only the formats differ. The plan shows it.
public interface KeyedStream<K, V> {

  /// See [Stream#as].
  KeyedStream<K, V> as(Serde<V> serde);

  /// The records for which the predicate holds.
  KeyedStream<K, V> filter(Predicate<? super V> predicate);

  /// Two streams in place of this one: the records for which the predicate holds, and the rest.
  /// More predicates in order are [branches][Branches] of the rest.
  ///
  /// @param predicate a pure function
  Branches<KeyedStream<K, V>> branch(Predicate<? super V> predicate);

  /// Two streams in place of this one: the records of a share of all keys, which are those of
  /// [#sample(double)], and the rest.
  Branches<KeyedStream<K, V>> branch(Share share);

  /// A record for each record, under the same key.
  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper);

  /// A record for each record, without a key.
  <R> Stream<R> map(Mapper<? super V, ? extends R> mapper);

  /// A record for each element, in its order, under the same key and at the same time.
  ///
  /// @param mapper a pure function; a record without elements gives none
  <R> KeyedStream<K, R> flatMapValues(Mapper<? super V, ? extends Iterable<R>> mapper);

  /// A record for each element, in its order, without a key; [#flatMapValues] keeps it.
  <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper);

  /// The records of a share of all keys: all records of a key, or none. See [#sample(double,
  /// Mapper)].
  ///
  /// @param share from 0 to 1
  KeyedStream<K, V> sample(double share);

  /// The records of a share of all values of an attribute: all records with one value, or none.
  /// What is kept follows from the attribute's bytes alone, so it is the same after a crash, in
  /// another stream and in another application, and a smaller share is part of a larger one. A
  /// [Share] holds the same, and is a predicate for [#branch].
  ///
  /// @param share from 0 to 1
  /// @param by a pure function
  <A> KeyedStream<K, V> sample(double share, Mapper<? super V, ? extends A> by);

  /// The same records, each given to the consumer on its way.
  KeyedStream<K, V> peek(Consumer<? super V> consumer);

  /// The same records without those that take back others: a result that is corrected is one more
  /// record beside the old one, so whoever counts or adds up has both. Changes nothing where
  /// nothing is corrected.
  ///
  /// It is the last way out where an operator refuses results that are corrected. The first is to
  /// have each come once: from windows with [Windows#onlyFinal], or with
  /// [allowedLateness][Windows#allowedLateness] of zero and nothing early; from joins with no
  /// lateness; from a table by [Table#toStream] in place of [Table#toChangelogStream].
  KeyedStream<K, V> withoutRetractions();

  /// The records of both streams, which must have as many partitions.
  KeyedStream<K, V> merge(KeyedStream<K, V> other);

  /// Joins each record with what is described: a table, a table as of the record's time, another
  /// stream, a broadcast table or a remote table; see [With]. Returns a record under the record's
  /// key for each pair; none where there is nothing to join with. The time is the record's, and of
  /// two streams the later one.
  ///
  /// ```java
  /// orders.join("customer", table(customers), (order, customer) -> order.of(customer))
  /// ```
  <W, R> KeyedStream<K, R> join(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner);

  /// Joins every record: where there is nothing to join with, the joiner gets null. Of a
  /// [stream][With#stream] that is known when the watermark says that no partner comes any more,
  /// and the result has the last time that one could have had.
  ///
  /// ```java
  /// orders.leftJoin("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
  /// ```
  <W, R> KeyedStream<K, R> leftJoin(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Joins every record of both streams; either value may be null, not both. Otherwise the same as
  /// [#leftJoin].
  ///
  /// ```java
  /// orders.outerJoin("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
  /// ```
  <W, R> KeyedStream<K, R> outerJoin(
      String name,
      With.OfStream<? super K, W> with,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner);

  /// Brings the records of both streams together that have equal keys, and those of more with
  /// [CoGrouped#and]. The streams have equal keys; those with fewer partitions are brought to the
  /// others through an exchange.
  CoGrouped<K> coGroup(KeyedStream<K, ?> other);

  /// The same records through an exchange of that name, which has as many partitions as what they
  /// meet behind it. Joins bring their sides together by themselves; a [#merge] does not.
  KeyedStream<K, V> repartition(String name);

  /// Groups by the key the records have; no exchange is needed.
  Grouped<K, V> groupByKey();

  /// Brings the records with equal new keys together, through an exchange of that name. A key that
  /// is the same for all brings everything together, in one task.
  ///
  /// @param key a pure function; null is bad input, so filter such records out before
  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key);

  /// The same records under the same keys, with all that is known of each in place of its value: so
  /// any operator behind it, a joiner too, sees key, headers and timestamp. A [Record] is valid
  /// until the next operator returns, so what keeps or sends values refuses it;
  /// `mapValues(Record::value)` gives back the values, with their serde.
  KeyedStream<K, Record<K, V>> records();

  /// Asks another system for each record: the answer is a record under the same key and at the same
  /// time, without headers; none where it is null. Event time behind it waits for what was not
  /// answered yet. Results that are corrected are refused; see [#withoutRetractions] for the ways
  /// out. See [Call] for what holds of the calls.
  <R> KeyedStream<K, R> call(String name, Call<? super V, R> call);

  /// Writes each value under its key to a remote table, and then lets the record go on, without
  /// headers. What is taken back deletes its key, unless something of the key follows in the same
  /// commit, and does not go on: so [Table#toChangelogStream] keeps a copy of a table.
  ///
  /// Only what is committed is written, of a key one value after the other, and of several that
  /// wait only the last. A write may be repeated behind a crash, but not with an older value than
  /// was written before, save by a request that was given up and arrives late: see
  /// [RemoteTable.Write#version].
  KeyedStream<K, V> put(String name, RemoteTable<K, V> table);

  /// The same with a value that is made of the record's.
  ///
  /// @param value a pure function; null deletes the key
  <W> KeyedStream<K, V> put(
      String name, RemoteTable<K, W> table, Mapper<? super V, ? extends @Nullable W> value);

  /// Runs a processor, one instance a task; its results keep the key of the record or timer they
  /// come from. Results that are corrected are refused; see [#withoutRetractions] for the ways out.
  <R> KeyedStream<K, R> process(
      String name, Initializer<? extends Processor<K, V, R>> processor, StoreSpec<?, ?>... stores);

  /// Writes every record; its key decides the partition. A sink without a serde of keys gets the
  /// key's bytes; one that takes keys from values ([KafkaKeyedSink#key]) decides by such a key.
  ///
  /// ```java
  /// counts.to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()))
  /// ```
  void to(Sink<? super K, V> sink);

  /// Writes every record to one of several sinks: the one whose topic the route gives for its
  /// value. A record whose topic is none of them is bad input.
  ///
  /// ```java
  /// events.to(event -> event.isTest() ? "tests" : "events", List.of(tests, real))
  /// ```
  ///
  /// @param route a pure function
  void to(Mapper<? super V, String> route, List<? extends Sink<? super K, V>> sinks);

  /// Writes every record to one of several topics that are described alike: the one that the route
  /// gives for its value. A record is bad input whose topic is none of them, has a name that Kafka
  /// does not take, is one of the application's own, or does not exist; with
  /// [Kafka.UntypedSink#partitions] a topic that does not exist is created.
  ///
  /// ```java
  /// events.to(event -> "events-" + event.shop(), Kafka.sinksUnder("events-").value(events))
  /// ```
  ///
  /// @param route a pure function
  void to(Mapper<? super V, String> route, Sink<? super K, V> topics);
}
