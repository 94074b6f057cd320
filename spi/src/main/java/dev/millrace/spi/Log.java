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

  /// Identifies the cluster, so that state of another one is never taken for one's own.
  String clusterId();

  /// What is known of topics; those that do not exist are left out.
  Map<String, TopicInfo> topics(Collection<String> names);

  /// How many partitions topics have, and nothing else of them; those that do not exist are left
  /// out. Asked now and then while a job runs, so it is to cost little.
  default Map<String, Integer> partitions(Collection<String> names) {
    Map<String, Integer> partitions = new TreeMap<>();
    topics(names).forEach((name, info) -> partitions.put(name, info.partitions()));
    return partitions;
  }

  /// The names of all topics that this client may see, but for the log's own.
  SortedSet<String> topicNames();

  /// Creates topics. Does nothing for those that exist already.
  ///
  /// @throws LogException of the first that cannot be created; others may have been by then
  void createTopics(Collection<TopicSpec> specs);

  /// Creates a topic. Does nothing if one of that name exists already.
  default void createTopic(TopicSpec spec) {
    createTopics(List.of(spec));
  }

  /// Adds partitions to a topic; it never has fewer afterwards.
  ///
  /// @param partitions how many it shall have; does nothing if it has as many already
  void addPartitions(String topic, int partitions);

  /// Changes settings of a topic; those that are not named stay as they are.
  ///
  /// @throws LogException of kind `REFUSED` if the log knows no such setting, or the value does not
  ///   fit, or this client may not change it; nothing has changed then
  void changeSettings(String topic, Map<String, String> settings);

  /// The positions of a group as committed transactions left them
  /// ([TransactionalWriter#sendPositions]), or as a person reset them; empty if there are none.
  Map<Split, Long> committedPositions(String group);

  /// Those of [#committedPositions] that a person or another tool has set, and no writer of this
  /// kind of log.
  Map<Split, Long> positionsOfOthers(String group);

  /// A writer; [TransactionalWriter#open] makes it the only one of its id.
  ///
  /// @param timeout after which the log aborts a transaction that was not ended
  TransactionalWriter writer(String transactionalId, Duration timeout);

  /// Bars the writers with these ids for good, until somebody opens a new writer of the id, and
  /// aborts what they have open. An id nobody used is no error. The markers may come later: see
  /// [Offsets].
  void fence(Collection<String> transactionalIds);

  /// The transactional ids known to the log that start with a prefix.
  List<String> transactionalIds(String prefix);

  /// The transactions that hold back the last stable offset of a split.
  List<OpenTransaction> openTransactions(Split split);

  /// Aborts one of [#openTransactions] on this split although its writer is gone; does nothing if
  /// it was decided meanwhile. Only for what no coordinator will ever end: other splits are not
  /// asked.
  void abortHanging(Split split, OpenTransaction transaction);

  /// Removes the records below the offsets; for exchanges whose records were read.
  ///
  /// @throws LogException of kind `REFUSED` if a topic is compacted only, or an offset beyond its
  ///   end
  void deleteBefore(Map<Split, Long> offsets);

  @Override
  void close();

  /// Connects to logs of a kind. Found by [java.util.ServiceLoader], so that a test kit need not
  /// know which kinds there are.
  interface Provider {

    /// Connects with all settings at their defaults.
    ///
    /// @param bootstrapServers one or more `host:port`, separated by commas
    /// @param clientIdPrefix says to an operator of the log who connects
    /// @throws LogException of kind `UNAVAILABLE` if nobody answers
    Log connect(String bootstrapServers, String clientIdPrefix);
  }

  /// @param id changes when a topic is deleted and created again
  /// @param settings the effective settings by name
  record TopicInfo(String name, String id, int partitions, Map<String, String> settings) {}

  /// @param replication -1 for the log's default
  record TopicSpec(String name, int partitions, int replication, Map<String, String> settings) {}

  /// @param start the first offset that can be read
  /// @param stableEnd the last stable offset: what is below is decided
  /// @param end the offset the next record will get
  record Offsets(long start, long stableEnd, long end) {}

  /// @param firstOffset its first record in the split
  record OpenTransaction(
      long producerId, int epoch, int coordinatorEpoch, long firstOffset, String transactionalId) {}
}
