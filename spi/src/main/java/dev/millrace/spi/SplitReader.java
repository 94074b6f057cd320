package dev.millrace.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads splits, a batch at a time. Used by one thread, except [#wakeup].
///
/// Records of a split are returned in the order of their offsets, without gaps or duplicates
/// between [#add] and [#remove]. The order between splits is undefined, but each split gets its
/// turn. Of a transactional log, only committed records are read, up to the last stable offset.
public interface SplitReader extends AutoCloseable {

  /// Begins to read a split at a position. To change the position, [#remove] the split and add it
  /// again.
  ///
  /// @throws LogException at once or from a later [#poll], if the position does not exist any more;
  ///   a reader never moves by itself
  void add(Split split, Position start);

  /// Stops reading a split. Does nothing if it is not being read, as after an [#add] that failed.
  /// Batches already returned stay valid.
  void remove(Split split);

  /// Stops returning batches of a split until [#resume]; keeps its position.
  void pause(Split split);

  void resume(Split split);

  /// Returns the next batch of any split, or null if none arrived in time. The caller releases it.
  /// A batch may have no records and only advance [RecordBatch#nextOffset] past markers and deleted
  /// records.
  ///
  /// @param atMost how long to wait; zero never waits
  /// @throws LogException with its [LogException#split] if a split cannot be read further. It is
  ///   thrown again until that split is removed; then the others are read
  @Nullable RecordBatch poll(Duration atMost);

  /// Returns the offset after the last record that can be read, as known from about the last ten
  /// seconds; -1 if it is unknown. A split whose next offset has reached it is at its end. Never
  /// waits.
  long endOffset(Split split);

  /// Returns whether a split is known to be readable at its position. Never waits: [#poll]
  /// continues the check.
  ///
  /// @throws LogException if it cannot be read further, even if it is paused
  default boolean isFound(Split split) {
    return true;
  }

  /// Returns the memory of batches that were read ahead and not returned yet, in bytes. Never
  /// waits.
  default long aheadBytes() {
    return 0;
  }

  /// Ends a waiting [#poll] early. Thread-safe.
  void wakeup();

  @Override
  void close();
}
