package dev.millrace.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads splits, a batch at a time. Used by one thread, except [#wakeup].
///
/// Records of a split come in the order of their offsets, none twice, none left out between [#add]
/// and [#remove]; nothing is said about the order between splits, but each one comes in turn. Of a
/// transactional log only committed records are read, up to the last stable offset.
public interface SplitReader extends AutoCloseable {

  /// Begins to read a split at a position. Reading a split again at another position is a [#remove]
  /// and an [#add].
  ///
  /// @throws LogException at once or from a later [#poll], if the position does not exist any more;
  ///   a reader never moves by itself
  void add(Split split, Position start);

  /// Stops reading a split, or does nothing if it is not being read, as after an [#add] that
  /// failed. Batches already returned stay valid.
  void remove(Split split);

  /// Stops returning batches of a split until [#resume]; keeps its position.
  void pause(Split split);

  void resume(Split split);

  /// The next batch of any split, or null if none came in time. The caller releases it. A batch may
  /// hold no record and only move [RecordBatch#nextOffset] on, past markers and removed records.
  ///
  /// @param atMost how long to wait; zero never waits
  /// @throws LogException with its [LogException#split] if a split cannot be read on. It is thrown
  ///   again until that split is removed; then the others are read on
  @Nullable RecordBatch poll(Duration atMost);

  /// The offset behind the last record that can be read, as heard of in the last ten seconds or so;
  /// -1 if nothing was. A split whose next offset has reached it is at its end. Never waits.
  long endOffset(Split split);

  /// Whether it is known that a split can be read from its start. Never waits: a [#poll] goes on
  /// with finding out.
  ///
  /// @throws LogException if it cannot be read on, though it may be paused
  default boolean isFound(Split split) {
    return true;
  }

  /// The memory of what was read ahead and not returned yet, as far as the reader holds it in
  /// batches. Never waits.
  default long aheadBytes() {
    return 0;
  }

  /// Ends a waiting [#poll] early. Thread-safe.
  void wakeup();

  @Override
  void close();
}
