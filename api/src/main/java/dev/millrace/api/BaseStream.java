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

/// Records without an end, in partitions: what holds for streams with keys ([KeyedStream]) and
/// without ([Stream]).
///
/// Every operator keeps the order within a partition, and headers and timestamps pass through every
/// operator. Key bytes pass through those that return the same values ([#filter], [#peek],
/// [#merge]); [#map] and [#flatMap] drop them. A stream that is used twice is split: each of its
/// users gets every record.
///
/// Serdes are needed only where records are kept or leave a task. They are found when the topology
/// is built: said with [#as] right after an operator, known from upstream, registered for a type
/// with [Topology#serde], or made for the type that the operator's function shows. Where that
/// fails, the build fails and names the operator and the ways out.
///
/// @param <K> the type of the keys; in a [Stream] they are [dev.millrace.api.serde.Bytes]
/// @param <V> the type of the values
/// @param <S> the kind of stream, which operators return that keep the type of the values
public interface BaseStream<K, V, S extends BaseStream<K, V, S>> {

  /// Returns this stream, and says how its values are encoded wherever they are kept or sent from
  /// here on. Right after an operator that keeps its results, such as [Windowed#apply], the serde
  /// holds for what is kept, too.
  ///
  /// ```java
  /// orders.map(order -> order.lines()).as(Serdes.listOf(Serdes.string()))
  /// ```
  S as(Serde<V> serde);

  /// Returns the records for which the predicate holds.
  ///
  /// ```java
  /// orders.filter(order -> order.amount() > 1_000)
  /// ```
  S filter(Predicate<? super V> predicate);

  /// Returns two streams in place of this one: the records for which the predicate holds, and all
  /// others. To divide into more, divide the others again, see [Branches].
  ///
  /// ```java
  /// var large = orders.branch(order -> order.amount() > 1_000);
  /// ```
  ///
  /// @param predicate a pure function
  Branches<S> branch(Predicate<? super V> predicate);

  /// Returns one record for each record, without a key.
  ///
  /// ```java
  /// orders.map(order -> order.customer())
  /// ```
  <R> Stream<R> map(Mapper<? super V, ? extends R> mapper);

  /// Returns one record for each element, in the order of the elements, without a key.
  ///
  /// ```java
  /// orders.flatMap(order -> order.lines())
  /// ```
  <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper);

  /// Returns the records of a share of all values of an attribute: all records with one value, or
  /// none. What is kept follows from the bytes of the attribute alone, so it is the same after a
  /// crash, in another stream and in another application, and a smaller share is part of a larger
  /// one. A [Share] holds the same values, and can be asked in a predicate for [#branch].
  ///
  /// ```java
  /// orders.sample(0.1, order -> order.customer())
  /// ```
  ///
  /// @param share from 0 to 1
  /// @param by a pure function
  <A> S sample(double share, Mapper<? super V, ? extends A> by);

  /// Gives each value to the consumer, and returns the records unchanged.
  ///
  /// ```java
  /// orders.peek(order -> log.info("{}", order))
  /// ```
  S peek(Consumer<? super V> consumer);

  /// Returns the records without retractions. A corrected result is then one more record beside the
  /// old one, so whoever counts or adds up has both. Nothing changes where no result is corrected.
  ///
  /// It is the last way out where an operator refuses results that are corrected. The first is to
  /// have each result emitted once: from windows with [Windows#onlyFinal], or with an
  /// [allowedLateness][Windows#allowedLateness] of zero and no early results; from joins with no
  /// lateness; from a table by [Table#toStream] in place of [Table#toChangelogStream].
  ///
  /// ```java
  /// sales.withoutRetractions().groupByKey().deduplicate("first", ofDays(1))
  /// ```
  S withoutRetractions();

  /// Returns the records of both streams, in no order between the two. Streams with keys must have
  /// equally many partitions; [KeyedStream#repartition] makes them so.
  ///
  /// ```java
  /// orders.merge(ordersOfPartners)
  /// ```
  S merge(S other);

  /// Joins each record with what is described, and returns a result under the record's key for each
  /// pair; none where there is nothing to join with. See [With] for what can be described: records
  /// with keys are joined with tables, other streams, broadcast and remote tables, records without
  /// keys with what is looked up by a key from the value ([With.Lookup]). The event time is that of
  /// the record; of two streams, the later one.
  ///
  /// ```java
  /// orders.join("country", broadcast(countries, order -> order.country()), Order::in)
  /// ```
  <W, R> BaseStream<K, R, ?> join(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner);

  /// Joins every record: where there is nothing to join with, the joiner gets null. For a record of
  /// a [stream][With#stream] that is known when the watermark says that no partner will come, and
  /// the result has the last event time that a partner could have had.
  ///
  /// ```java
  /// orders.leftJoin("paid", stream(payments, Within.of(ofHours(1))), Receipt::of)
  /// ```
  <W, R> BaseStream<K, R, ?> leftJoin(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Groups the records by a new key, through an exchange of that name. A key that is equal for all
  /// records groups all of them, in one task.
  ///
  /// ```java
  /// orders.groupBy("by-shop", order -> order.shop()).count("orders-of-shop")
  /// ```
  ///
  /// @param key a pure function; null is bad input, so filter such records out before
  <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key);

  /// Returns all that is known of each record in place of its value, so that every operator after
  /// it, joiners too, sees key, headers and timestamp. A [Record] is valid until the next operator
  /// returns, so operators that keep or send values refuse it. `map(Record::value)`, and
  /// `mapValues(Record::value)` where there are keys, return the values, with their serde.
  ///
  /// ```java
  /// orders.records().filter(record -> record.header("test") == null).mapValues(Record::value)
  /// ```
  BaseStream<K, Record<K, V>, ?> records();

  /// Asks another system for each record, and returns the answers under the keys and at the times
  /// of the records, without headers; none where the answer is null. Event time after it waits for
  /// records that are not answered yet. Results that are corrected are refused; see
  /// [#withoutRetractions] for the ways out. See [Call] for order, limits and failures.
  ///
  /// ```java
  /// orders.call("rated", Call.blocking(order -> ratings.of(order)))
  /// ```
  <R> BaseStream<K, R, ?> call(String name, Call<? super V, R> call);

  /// Runs a processor, one instance in each task, and returns its results under the key of the
  /// record or timer that they come from. Results that are corrected are refused; see
  /// [#withoutRetractions] for the ways out.
  ///
  /// ```java
  /// orders.process("silence", Silence::new, SILENT_SINCE)
  /// ```
  ///
  /// @param processor returns a new instance at each call
  <R> BaseStream<K, R, ?> process(
      String name, Initializer<? extends Processor<K, V, R>> processor, StoreSpec<?, ?>... stores);

  /// Writes every record; its key decides the partition, if there is one. A sink without a serde of
  /// keys gets the key's bytes, or no key where an operator dropped it; one that takes keys from
  /// values ([KafkaKeyedSink#key]) decides by such a key.
  ///
  /// ```java
  /// orders.to(Kafka.sink("orders").key(Serdes.string()).value(json(Order.class)))
  /// ```
  void to(Sink<? super K, V> sink);

  /// Writes every record to one of several sinks: the one whose topic the route returns for its
  /// value. A record whose topic is none of them is bad input.
  ///
  /// ```java
  /// orders.to(order -> order.amount() > 1_000 ? "large" : "small", List.of(large, small))
  /// ```
  ///
  /// @param route a pure function
  void to(Mapper<? super V, String> route, List<? extends Sink<? super K, V>> sinks);

  /// Writes every record to one of several topics that are described alike: the one that the route
  /// returns for its value. A record is bad input whose topic is none of them, has a name that
  /// Kafka does not take, is one of the application's own, or does not exist; with
  /// [Kafka.UntypedSink#partitions] a topic that does not exist is created.
  ///
  /// ```java
  /// orders.to(
  ///     order -> "orders-" + order.shop(), Kafka.sinksUnder("orders-").value(json(Order.class)))
  /// ```
  ///
  /// @param route a pure function
  void to(Mapper<? super V, String> route, Sink<? super K, V> topics);
}
