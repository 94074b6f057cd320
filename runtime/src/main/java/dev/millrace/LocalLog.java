package dev.millrace;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.memory.MemoryStore;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/// A log in the memory of this process, which stands for Kafka: [Millrace#local] runs applications
/// on it, and the program writes and reads its topics. It is gone with its process.
///
/// Topics keep their records on the heap until they are deleted, except those that are compacted,
/// which keep the last record of each key, and those with a limit such as `createTopic("results",
/// 4, Map.of("retention.bytes", "100000000"))`, which holds for a partition.
///
/// Several applications may run on one log, one after the other or at once; an application that is
/// started again goes on where it was. Thread-safe.
public final class LocalLog implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final MemoryStore store = new MemoryStore();
  private final Log log = store.connect();
  private final TransactionalWriter writer = log.writer("millrace-local-log", TIMEOUT);

  /// Creates a log without topics.
  public LocalLog() {
    writer.open();
  }

  /// Creates a topic. Does nothing if there is one of that name.
  ///
  /// @throws dev.millrace.spi.LogException if the name or the number is not valid
  public void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /// Creates a topic. Does nothing if there is one of that name.
  ///
  /// @param settings as a topic of Kafka has them, such as `cleanup.policy` or `retention.bytes`
  /// @throws dev.millrace.spi.LogException if the name, the number or a setting is not valid
  public void createTopic(String name, int partitions, Map<String, String> settings) {
    log.createTopic(new TopicSpec(name, partitions, -1, settings));
  }

  /// Deletes a topic with its records. Does nothing if there is none of that name.
  public void deleteTopic(String name) {
    store.deleteTopic(name);
  }

  /// Returns the names of all topics, those that belong to applications among them.
  public SortedSet<String> topics() {
    return log.topicNames();
  }

  /// Returns a topic, to write and to read it.
  ///
  /// @throws dev.millrace.spi.LogException if there is no topic of that name
  public <K, V> LocalTopic<K, V> topic(String name, Serde<K> keys, Serde<V> values) {
    return new LocalTopic<>(this, name, keys, values);
  }

  /// Returns the memory that all records take, in bytes.
  public long bytes() {
    return store.bytes();
  }

  Log log() {
    return log;
  }

  /// Writes batches, which are seen at once.
  synchronized void write(Map<Split, List<RecordBatch>> batches) {
    batches.forEach((split, each) -> each.forEach(batch -> writer.sendOutside(split, batch)));
    writer.commit();
    if (writer.outcome() != Outcome.COMMITTED) {
      throw new IllegalArgumentException(writer.failure());
    }
  }

  /// Ends the thread of the log. Jobs that run on it have to be closed first.
  @Override
  public void close() {
    store.close();
  }
}
