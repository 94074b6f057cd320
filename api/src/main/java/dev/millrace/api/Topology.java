package dev.millrace.api;

/// Where an application begins: streams come from sources.
///
/// Operators with state and groupings through an exchange have names, each unique in the
/// application: 1 to 100 lower-case letters, digits and `-`, not beginning with `-`. Topics and
/// stores are named after them. What cannot run fails with an [InvalidTopologyException] as it is
/// described.
public interface Topology {

  /// The records of a source, keys left as the bytes they are.
  <V> Stream<V> from(Source<V> source);

  /// The records of a source whose key decides the partition they are in. The source is trusted in
  /// this; a sampled check against Kafka's own partitioner stops the job where it is wrong.
  <K, V> KeyedStream<K, V> from(KeyedSource<K, V> source);

  /// The latest value that a source has for each key, kept in a store of that name; a record
  /// without a value deletes its key.
  <K, V> Table<K, V> table(String name, KeyedSource<K, V> source);
}
