package dev.millrace.api;

import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records without an end, in partitions; the order within a partition is kept by every operator.
///
/// Headers and timestamp pass through every operator. The key's bytes pass through those that
/// return the same values ([#filter], [#peek], [#merge]); [#map] and [#flatMap] drop them. Using a
/// stream twice splits it: each user gets every record.
///
/// Serdes are needed only where records are kept or leave a task. They are found when the topology
/// is built: said with [#as] right behind an operator, known from upstream, registered for a type
/// with [Topology#serde], or made for the type that the operator's function shows. Where that
/// fails, the build fails and names the operator and the ways out.
public interface Stream<V> {

  /// Returns the same records, and says how their values are encoded wherever they are kept or sent
  /// from here on. Right behind an operator that keeps its results, such as [Windowed#apply], it
  /// holds for what that keeps, too.
  ///
  /// ```java
  /// clicks.map(click -> click.tags()).as(Serdes.listOf(Serdes.string()))
  /// ```
  Stream<V> as(Serde<V> serde);

  /// The records for which the predicate holds.
  Stream<V> filter(Predicate<? super V> predicate);

  /// Two streams in place of this one: the records for which the predicate holds, and the rest.
  /// More predicates in order are [branches][Branches] of the rest.
  ///
  /// @param predicate a pure function
  Branches<Stream<V>> branch(Predicate<? super V> predicate);

  /// A record for each record, without a key.
  <R> Stream<R> map(Mapper<? super V, ? extends R> mapper);

  /// A record for each element, in its order, without a key.
  <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper);

  /// The records of a share of all values of an attribute: all records with one value, or none.
  /// What is kept follows from the attribute's bytes alone, so it is the same after a crash, in
  /// another stream and in another application, and a smaller share is part of a larger one. A
  /// [Share] holds the same, and is a predicate for [#branch].
  ///
  /// @param share from 0 to 1
  /// @param by a pure function
  <A> Stream<V> sample(double share, Mapper<? super V, ? extends A> by);

  /// The same records, each given to the consumer on its way.
  Stream<V> peek(Consumer<? super V> consumer);

  /// The same records without those that take back others: a result that is corrected is one more
  /// record beside the old one, so whoever counts or adds up has both. Changes nothing where
  /// nothing is corrected.
  ///
  /// It is the last way out where an operator refuses results that are corrected. The first is to
  /// have each come once: from windows with [Windows#onlyFinal], or with
  /// [allowedLateness][Windows#allowedLateness] of zero and nothing early; from joins with no
  /// lateness; from a table by [Table#toStream] in place of [Table#toChangelogStream].
  Stream<V> withoutRetractions();

  /// The records of both streams; nothing is said about the order between them.
  Stream<V> merge(Stream<V> other);

  /// Joins each record with what is looked up for it: returns a record at its time, with the
  /// record's own key; none if there is nothing.
  ///
  /// ```java
  /// orders.join("country", broadcast(countries, order -> order.country()), Order::in)
  /// ```
  <W, R> Stream<R> join(
      String name,
      With.Lookup<? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner);

  /// Joins every record; what was looked up may be null. Otherwise the same as [#join].
  <W, R> Stream<R> leftJoin(
      String name,
      With.Lookup<? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  /// Brings the records with equal keys together, through an exchange of that name. A key that is
  /// the same for all brings everything together, in one task.
  ///
  /// @param key a pure function; null is bad input, so filter such records out before
  <K> Grouped<K, V> groupBy(String name, Mapper<? super V, ? extends K> key);

  /// The same records with all that is known of each in place of its value: so any operator behind
  /// it, a joiner too, sees key, headers and timestamp. A [Record] is valid until the next operator
  /// returns, so what keeps or sends values refuses it; `map(Record::value)` gives back the values,
  /// with their serde.
  Stream<Record<Bytes, V>> records();

  /// Asks another system for each record: the answer is a record under the same key and at the same
  /// time, without headers; none where it is null. Event time behind it waits for what was not
  /// answered yet. Results that are corrected are refused; see [#withoutRetractions] for the ways
  /// out. See [Call] for what holds of the calls.
  <R> Stream<R> call(String name, Call<? super V, R> call);

  /// Runs a processor, one instance a task; its results keep the key of the record they come from.
  /// Results that are corrected are refused; see [#withoutRetractions] for the ways out.
  <R> Stream<R> process(
      String name,
      Initializer<? extends Processor<Bytes, V, R>> processor,
      StoreSpec<?, ?>... stores);

  /// Writes every record, with its key's bytes, or no key where an operator dropped it. A sink that
  /// takes keys from values ([KafkaKeyedSink#key]) writes it under such a key.
  ///
  /// ```java
  /// trends.to(Kafka.sink("trends").value(json(Trend.class)))
  /// ```
  void to(Sink<? super Bytes, V> sink);

  /// Writes every record to one of several sinks: the one whose topic the route gives for its
  /// value. A record whose topic is none of them is bad input.
  ///
  /// ```java
  /// events.to(event -> event.isTest() ? "tests" : "events", List.of(tests, real))
  /// ```
  ///
  /// @param route a pure function
  void to(Mapper<? super V, String> route, List<? extends Sink<? super Bytes, V>> sinks);

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
  void to(Mapper<? super V, String> route, Sink<? super Bytes, V> topics);
}
