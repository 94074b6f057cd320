package dev.millrace.spi;

import java.util.Map;

/// Writes batches to the log, in one transaction at a time. Used by one thread.
///
/// Only [#open] and [#close] wait. [#commit] and [#abort] begin to end the transaction, and
/// [#outcome] returns the outcome later. Until then nothing may be sent.
public interface TransactionalWriter extends AutoCloseable {

  /// The outcome of the transaction that was last ended.
  enum Outcome {
    /// The transaction is not being ended; records may be sent.
    OPEN,
    /// The commit or abort was begun and is not known to be decided.
    PENDING,
    /// Committed, and visible or about to become visible without further action.
    COMMITTED,
    /// Nothing of it will ever be visible.
    ABORTED,
    /// The answer was lost. [#open] completes or aborts the transaction; the log then shows which.
    UNKNOWN,
    /// Another writer with the same id took over, or the log aborted a transaction that took too
    /// long. Final: this writer can only be closed. If a commit was asked for, it may have taken
    /// place.
    FENCED
  }

  /// Fences every earlier writer with the same id and ends its open transaction: if its commit was
  /// decided it is completed, otherwise it is aborted. Also makes this writer usable after
  /// `UNKNOWN`. Waits for the log.
  ///
  /// @throws LogException if the log cannot be reached in time, or this writer was fenced
  void open();

  /// Returns the identity of the writer in the log: producer id and epoch. They may change with
  /// every commit.
  WriterId id();

  /// Adds records to the transaction, which begins with the first of them; takes over the caller's
  /// reference. Records to one split keep their order.
  void send(Split to, RecordBatch batch);

  /// Writes records outside the transaction, for sinks that are written at least once: they are
  /// visible at once, and an abort does not remove them. They are acknowledged before the next
  /// commit is decided; if one of them cannot be written, the commit is aborted. Takes over the
  /// caller's reference. Records to one split keep their order among each other, not with those of
  /// [#send].
  void sendOutside(Split to, RecordBatch batch);

  /// Adds the consumed positions of a group to the transaction, so that other tools can show them.
  void sendPositions(String group, Map<Split, Position> positions);

  /// Begins to commit. A transaction without records, and with none outside, is committed at once.
  void commit();

  /// Begins to abort.
  void abort();

  /// Returns the outcome known by now. After `COMMITTED` or `ABORTED` was returned once, the writer
  /// is `OPEN` again. A failed send is reported here, as `ABORTED` or `FENCED`, and [#failure]
  /// describes it.
  Outcome outcome();

  /// Returns why the last transaction was not committed, for messages; empty if it was.
  String failure();

  /// Returns the offset after the last record sent to a split that the log has acknowledged in a
  /// committed transaction, or -1 if there is none. Records sent outside do not count.
  long committedEnd(Split split);

  /// Releases all resources. An open transaction is left to [#open] of the next writer. Waits at
  /// most a few seconds.
  @Override
  void close();

  /// @param producerId given by the log
  /// @param epoch incremented by every writer that takes over the same id
  record WriterId(String transactionalId, long producerId, int epoch) {}
}
