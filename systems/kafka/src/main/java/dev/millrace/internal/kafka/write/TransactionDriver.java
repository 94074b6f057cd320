package dev.millrace.internal.kafka.write;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// A producer with the steps of a transaction, for [WriterWork], which handles their outcomes.
/// Failures are thrown as a [org.apache.kafka.common.KafkaException] or a
/// [dev.millrace.spi.LogException].
///
/// Used by one thread, except [#id], [#thread] and [#kill].
public interface TransactionDriver {
  /// The outcome of ending a transaction.
  enum Ended {
    DONE,
    /// It was to be committed, which the log refused; so it was aborted.
    ABORTED,
    FENCED,
    /// The log had ended it the other way, or knows nothing of it.
    EXPIRED,
    /// No answer came in time.
    UNANSWERED,
    FAILED
  }

  /// Returns a new thread that runs everything else here, in the order in which it is handed over.
  ExecutorService thread();

  /// Returns the id of the writer; null until the first [#open].
  @Nullable WriterId id();

  /// Makes the producer ready, whatever its state; see [dev.millrace.spi.TransactionalWriter#open].
  void open();

  /// Begins a transaction.
  void begin(Transaction transaction);

  /// Adds records to a transaction; their bytes are copied.
  ///
  /// @param largestBatchBytes that the split takes
  void send(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes);

  /// Writes records outside the transactions; their bytes are copied.
  void sendOutside(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes);

  void sendPositions(Transaction transaction, String group, Map<Split, Position> positions);

  /// Waits until all records are acknowledged, or one has failed.
  void flush(Transaction transaction);

  /// Drops records that are not sent.
  void drop(Transaction transaction);

  /// Ends the transaction. Afterwards [#id] is that of the next one.
  Ended end(boolean commit);

  /// Returns why the end is not as it was asked for; a sentence.
  String endFailure();

  /// Releases all resources, within a few seconds.
  void close();

  /// Releases all resources at once, and interrupts the waits of the thread.
  void kill();
}
