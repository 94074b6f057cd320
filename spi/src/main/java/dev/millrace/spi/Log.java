package dev.millrace.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/// The durable log that carries data, exchanges, changelog and commits: Kafka, or the model of it.
///
/// Thread-safe; readers and writers are not. Methods wait for the log and throw [LogException].
public interface Log extends SplitSource, AutoCloseable {

  /// Returns the id of the cluster, so that state of another cluster is never used by mistake.
  String clusterId();

  /// Returns descriptions of topics by name; topics that do not exist are omitted.
  Map<String, TopicInfo> topics(Collection<String> names);

  /// Returns the numbers of partitions of topics by name; topics that do not exist are omitted. It
  /// is called regularly while a job runs, so it should cost little.
  default Map<String, Integer> partitions(Collection<String> names) {
    Map<String, Integer> partitions = new TreeMap<>();
    topics(names).forEach((name, info) -> partitions.put(name, info.partitions()));
    return partitions;
  }

  /// Returns the names of all topics that this client may see, except the log's internal ones.
  SortedSet<String> topicNames();

  /// Creates topics. Does nothing for topics that exist already.
  ///
  /// @throws LogException for the first topic that cannot be created; others may have been created
  ///   by then
  void createTopics(Collection<TopicSpec> specs);

  /// Creates a topic. Does nothing if one of that name exists already.
  default void createTopic(TopicSpec spec) {
    createTopics(List.of(spec));
  }

  /// Adds partitions to a topic. Never removes any.
  ///
  /// @param partitions the new number of partitions; does nothing if the topic has as many already
  void addPartitions(String topic, int partitions);

  /// Changes settings of a topic; settings that are not named are unchanged.
  ///
  /// @throws LogException of kind `REFUSED` if the log knows no such setting, the value is not
  ///   valid, or this client may not change it; nothing is changed then
  void changeSettings(String topic, Map<String, String> settings);

  /// Returns the positions of a group as the last committed transaction
  /// ([TransactionalWriter#sendPositions]) or another tool set them; empty if there are none.
  Map<Split, Long> committedPositions(String group);

  /// Returns the [#committedPositions] that another tool has set, not a writer of this kind of log.
  Map<Split, Long> positionsOfOthers(String group);

  /// Creates a writer. [TransactionalWriter#open] makes it the only one of its transactional id.
  ///
  /// @param timeout after which the log aborts a transaction that was not ended
  TransactionalWriter writer(String transactionalId, Duration timeout);

  /// Fences the writers with these ids, until a new writer of the id is opened, and aborts their
  /// open transactions. An unused id is not an error. The abort markers may be written later: see
  /// [Offsets].
  void fence(Collection<String> transactionalIds);

  /// Returns the transactional ids known to the log that start with a prefix.
  List<String> transactionalIds(String prefix);

  /// Returns the open transactions that hold back the last stable offset of a split.
  List<OpenTransaction> openTransactions(Split split);

  /// Aborts one of [#openTransactions] on this split although its writer is gone. Does nothing if
  /// the transaction was ended meanwhile. Only for transactions that no coordinator will ever end:
  /// other splits of the transaction are not considered.
  void abortHanging(Split split, OpenTransaction transaction);

  /// Deletes the records below the offsets; used for exchanges whose records were read.
  ///
  /// @throws LogException of kind `REFUSED` if a topic is only compacted, or an offset is beyond
  ///   its end
  void deleteBefore(Map<Split, Long> offsets);

  @Override
  void close();

  /// Connects to logs of one kind. Found by [java.util.ServiceLoader], so that a test kit does not
  /// depend on the kinds.
  interface Provider {

    /// Connects with all settings at their defaults.
    ///
    /// @param bootstrapServers one or more `host:port`, separated by commas
    /// @param clientIdPrefix identifies the client to the operators of the log
    /// @throws LogException of kind `UNAVAILABLE` if no broker answers
    Log connect(String bootstrapServers, String clientIdPrefix);
  }

  /// @param id changes when a topic is deleted and created again
  /// @param settings the effective settings by name
  record TopicInfo(String name, String id, int partitions, Map<String, String> settings) {}

  /// @param replication -1 for the log's default
  record TopicSpec(String name, int partitions, int replication, Map<String, String> settings) {}

  /// @param start the first offset that can be read
  /// @param stableEnd the last stable offset: all transactions below are committed or aborted
  /// @param end the offset the next record will get
  record Offsets(long start, long stableEnd, long end) {}

  /// @param firstOffset its first record in the split
  record OpenTransaction(
      long producerId, int epoch, int coordinatorEpoch, long firstOffset, String transactionalId) {}
}
