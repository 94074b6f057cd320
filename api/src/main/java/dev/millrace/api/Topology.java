package dev.millrace.api;

import dev.millrace.api.connector.KeyedSource;
import dev.millrace.api.connector.Source;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.TypeRef;
import java.time.Duration;

/// Where an application begins: streams come from sources.
///
/// Operators with state and groupings through an exchange have names, each unique in the
/// application: 1 to 100 lower-case letters, digits and `-`, not beginning with `-`. Topics and
/// stores are named after them. What cannot run fails with an [InvalidTopologyException] as it is
/// described.
public interface Topology {

  /// Registers a serde for a type. It is used where the type of keys, values or attributes is
  /// exactly this one and no serde is said or known from upstream. Call it before the first source.
  ///
  /// ```java
  /// topology.serde(Page.class, pages);
  /// ```
  ///
  /// @throws InvalidTopologyException if there is a source already, or the type has a serde
  <T> void serde(Class<T> type, Serde<T> serde);

  /// Registers a serde for a type with type arguments: `new TypeRef<List<Page>>() {}`. See
  /// [#serde(Class, Serde)].
  <T> void serde(TypeRef<T> type, Serde<T> serde);

  /// Returns the records of a source, with keys that stay bytes.
  ///
  /// Each needs a value. One without is a deletion of its key, as compacted topics have them, and
  /// bad input here; [#table] reads such topics.
  ///
  /// ```java
  /// topology.from(Kafka.source("orders").value(json(Order.class)).eventTime(Order::time))
  /// ```
  <V> Stream<V> from(Source<V> source);

  /// Returns the records of a source whose key decides the partition that they are in. The source
  /// is trusted in this; a sampled check against Kafka's own partitioner stops the job where it is
  /// wrong.
  ///
  /// Each record needs a value. One without is a deletion of its key, as compacted topics have
  /// them, and bad input here; [#table] reads such topics.
  ///
  /// ```java
  /// topology.from(Kafka.source("orders").key(Serdes.string()).value(json(Order.class)))
  /// ```
  <K, V> KeyedStream<K, V> from(KeyedSource<K, V> source);

  /// Renames an operator, a store or an exchange: what earlier versions of the application called
  /// by the first name is called by the second one now, and keeps its state. The stores of an
  /// operator and the exchanges of its sides are renamed with it. It may stay in the application
  /// for ever; leave it out once no earlier version can be there any more.
  ///
  /// ```java
  /// topology.renamed("visits-per-day", "daily-visits");
  /// ```
  ///
  /// @throws InvalidTopologyException if the first name is renamed to another one as well
  void renamed(String was, String is);

  /// Lets all that is computed without windows change only at whole multiples of `tick` in event
  /// time, everywhere at the same one: a result includes all records before a tick and none after
  /// it, whatever way they took, and is written once a tick. So results that belong together agree,
  /// such as the balances of accounts between which money is moved. Call it before the first
  /// source.
  ///
  /// Results wait for the watermark. A record that is late counts as one with the time of the
  /// watermark, in windows, too. The records of a tick are kept until it is over, and must fit into
  /// memory.
  ///
  /// ```java
  /// topology.consistentEvery(ofSeconds(1));
  /// ```
  ///
  /// @throws InvalidTopologyException if there is a source already, or the tick is not a positive
  ///   number of milliseconds
  void consistentEvery(Duration tick);

  /// Returns the latest value that a source has for each key, kept in a store of that name; a
  /// record without a value deletes its key.
  ///
  /// ```java
  /// topology.table("customers", Kafka.source("customers").key(Serdes.string()).value(customer))
  /// ```
  <K, V> Table<K, V> table(String name, KeyedSource<K, V> source);

  /// Returns the latest value of each key as [#table] does, for every task: each has all of the
  /// table in a store of its own. So there are as many copies on disk and in the changelog as there
  /// are tasks that look it up; the table should be small. The source may have any number of
  /// partitions and need not be partitioned as Kafka's own producer does it.
  ///
  /// ```java
  /// topology.broadcastTable(
  ///     "countries", Kafka.source("countries").key(Serdes.string()).value(country))
  /// ```
  <K, V> Broadcast<K, V> broadcastTable(String name, KeyedSource<K, V> source);
}
