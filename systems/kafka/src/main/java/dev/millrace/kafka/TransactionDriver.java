package dev.millrace.kafka;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// What the thread of a [KafkaWriter] does: all that may wait for Kafka. A transaction that was
/// handed to it is decided when [#commit] or [#abort] returns, whatever happens.
///
/// Used by that thread alone, but [#id], [#thread] and [#kill].
interface TransactionDriver {
  /// A new thread that runs everything else here, in the order in which it is handed over.
  ExecutorService thread();

  /// Null until the first [#open].
  @Nullable WriterId id();

  /// Makes it ready, whatever it was doing; see [dev.millrace.spi.TransactionalWriter#open].
  void open();

  /// Adds records to a transaction; takes over the caller's reference.
  void send(Transaction transaction, Split to, RecordBatch batch);

  /// Writes records beside the transactions; takes over the caller's reference.
  void sendOutside(Transaction transaction, Split to, RecordBatch batch);

  void sendPositions(Transaction transaction, String group, Map<Split, Position> positions);

  void commit(Transaction transaction);

  /// Aborts a transaction that has failed, unless that was done.
  void abort(Transaction transaction);

  /// Lets go of everything, within a few seconds.
  void close();

  /// Lets go of everything at once; ends what the thread is waiting for.
  void kill();
}
