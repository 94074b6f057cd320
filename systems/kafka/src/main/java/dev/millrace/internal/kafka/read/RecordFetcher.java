package dev.millrace.internal.kafka.read;

import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;

/// What brings a [KafkaReader] the records of its splits. Used by the reader's thread alone, except
/// [#wakeup].
public interface RecordFetcher extends AutoCloseable {
  /// Fetches these splits from now on, and no other. Those that are new stand still until [#seek].
  void assign(Collection<SplitPosition> splits);

  /// Fetches a split from its next offset and leader epoch on.
  void seek(SplitPosition split);

  /// Fetches no more of a split; what is on its way may still come.
  void pause(SplitPosition split);

  void resume(SplitPosition split);

  /// The last stable offset of a split, -1 if it is not known. Never waits.
  long stableEnd(SplitPosition split);

  /// Waits for records, adds them to their splits as batches, and moves those on.
  ///
  /// @return the splits that moved
  /// @throws WakeupException if [#wakeup] ended it
  /// @throws KafkaException of the types of the official consumer, if something cannot be read on
  Collection<SplitPosition> poll(Duration atMost);

  /// How often something was heard of topics from the cluster.
  int metadataUpdates();

  /// The memory of what has arrived and was not added.
  long heldBytes();

  /// Ends a waiting [#poll], or the next one. Thread-safe.
  void wakeup();

  @Override
  void close();
}
