package dev.millrace.spi;

import java.util.Map;

/// Writes batches to the log, in one transaction at a time. Used by one thread.
///
/// Nothing here waits, but [#open] and [#close]: [#commit] and [#abort] begin something whose
/// outcome [#outcome] tells later. Until then nothing may be sent.
public interface TransactionalWriter extends AutoCloseable {

  /// What is known of the transaction that was last ended.
  enum Outcome {
    /// No end was asked for yet; records may be sent.
    OPEN,
    /// The end was asked for and is not decided yet, as far as known.
    PENDING,
    /// Committed, and visible or about to become visible without further doing.
    COMMITTED,
    /// Nothing of it will ever be visible.
    ABORTED,
    /// The answer was lost. [#open] decides it one way or the other; the log then tells which.
    UNKNOWN,
    /// Another writer with the same id took over, or the log aborted a transaction that took too
    /// long. Final: this writer can only be closed. If a commit was asked for, it may have taken
    /// place.
    FENCED
  }

  /// Bars every earlier writer with the same id from writing and ends what it left open: a
  /// transaction whose commit was decided is completed, any other aborted. Also puts this writer in
  /// order after `UNKNOWN`. Waits for the log.
  ///
  /// @throws LogException if the log cannot be reached in time, or this writer was fenced
  void open();

  /// Identifies the writer in its log: producer id and epoch. They may change with every commit.
  WriterId id();

  /// Adds records to the transaction, which begins with the first of them; takes over the caller's
  /// reference. Records to one split keep their order.
  void send(Split to, RecordBatch batch);

  /// Writes records outside the transaction, for sinks that are written at least once: they are
  /// visible at once and an abort does not take them back. They are acknowledged before the next
  /// commit is decided; if one of them cannot be written, the commit is aborted. Takes over the
  /// caller's reference. Records to one split keep their order among each other, not with those of
  /// [#send].
  void sendOutside(Split to, RecordBatch batch);

  /// Adds the consumed positions of a group to the transaction, for ordinary tools to show.
  void sendPositions(String group, Map<Split, Position> positions);

  /// Begins to commit. A transaction without records, and with none outside, is committed at once.
  void commit();

  /// Begins to abort.
  void abort();

  /// What is known by now. After `COMMITTED` or `ABORTED` was returned once, the writer is `OPEN`
  /// again. A failed send shows here, as `ABORTED` or `FENCED`, and is named by [#failure].
  Outcome outcome();

  /// Why the last transaction was not committed, for messages; empty if it was.
  String failure();

  /// The offset behind the last record sent to a split that the log has acknowledged in a committed
  /// transaction, or -1 if there is none. Records sent outside do not count.
  long committedEnd(Split split);

  /// Lets go of everything; an open transaction is left to [#open] of the next writer. Waits at
  /// most a few seconds.
  @Override
  void close();

  /// @param producerId given by the log
  /// @param epoch counts up with every writer that takes the same id over
  record WriterId(String transactionalId, long producerId, int epoch) {}
}
