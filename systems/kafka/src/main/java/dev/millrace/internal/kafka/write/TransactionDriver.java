package dev.millrace.internal.kafka.write;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// A producer: the steps of a transaction, for [WriterWork], which knows what follows from each.
/// What cannot be done is thrown as a [org.apache.kafka.common.KafkaException] or a
/// [dev.millrace.spi.LogException].
///
/// Used by one thread, but [#id], [#thread] and [#kill].
public interface TransactionDriver {
  /// What became of a transaction that was to be ended.
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

  /// A new thread that runs everything else here, in the order in which it is handed over.
  ExecutorService thread();

  /// Null until the first [#open].
  @Nullable WriterId id();

  /// Makes it ready, whatever it was doing; see [dev.millrace.spi.TransactionalWriter#open].
  void open();

  /// Tells the producer of a transaction that begins, and the transaction.
  void begin(Transaction transaction);

  /// Adds records to a transaction; their bytes are copied.
  ///
  /// @param largestBatchBytes that the split takes
  void send(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes);

  /// Writes records beside the transactions; their bytes are copied.
  void sendOutside(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes);

  void sendPositions(Transaction transaction, String group, Map<Split, Position> positions);

  /// Waits until all is acknowledged, or something has failed.
  void flush(Transaction transaction);

  /// Forgets what is not sent.
  void drop(Transaction transaction);

  /// Ends the transaction; the id is that of the next one afterwards.
  Ended end(boolean commit);

  /// Why the end is not as it was asked for; a sentence.
  String endFailure();

  /// Lets go of everything, within a few seconds.
  void close();

  /// Lets go of everything at once; ends what the thread is waiting for.
  void kill();
}
